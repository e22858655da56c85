import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BOOK, HOSTILE_BOOK } from '../../reporters/grade/book.fixture.ts';
import { loadGradeReporter } from '../../reporters/grade/index.ts';
import { HOSTILE, manyFindings } from '../../reporters/hostile.fixture.ts';
import { FILES } from '../../reporters/html/document.ts';
import { renderPage } from '../../reporters/html/page.ts';
import { ASSUMED_STRICT, INCLUSIVE_END, LATE_OVERLAP, PASS, TIMEOUT } from '../../reporters/samples.ts';
import type { Report } from '../../src/runner/report.ts';
import { type Browser, hasChromium, openBrowser } from './browser.ts';

/** Set to a folder, screenshots are kept there. */
const SHOTS = process.env['SCD2CHECK_SCREENSHOTS'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const REPORTS: Readonly<Record<string, Report>> = {
  pass: PASS,
  'late-overlap': LATE_OVERLAP,
  'inclusive-end': INCLUSIVE_END,
  'assumed-strict': ASSUMED_STRICT,
  timeout: TIMEOUT,
  hostile: HOSTILE,
};

describe.skipIf(!hasChromium())('the HTML report in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-html-'));
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    if (SHOTS) mkdirSync(SHOTS, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Opened {
    readonly page: Page;
    /** Scripts that failed or were refused, and whatever the page asked for beyond itself. */
    readonly complaints: string[];
  }

  const open = (report: Report, width = 1200) =>
    openText(renderPage(report, { full: false, separate: false }), width);

  /** Opens the page from disk, as people do who were sent it. */
  async function openText(html: string, width: number): Promise<Opened> {
    const path = join(folder, 'report.html');
    writeFileSync(path, html);
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) complaints.push(request.url());
    });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(pathToFileURL(path).href);
    return { page, complaints };
  }

  async function shoot(page: Page, name: string): Promise<void> {
    if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
  }

  async function violations(page: Page): Promise<string[]> {
    // The page's policy lets nobody add a script, so axe comes by the debugger.
    const found = await page.evaluate(
      `(() => { ${AXE}; return axe.run(document, { resultTypes: ['violations'] }); })()`,
    );
    const { violations } = found as {
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    };
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)} ${nodes[0]!.failureSummary}`,
    );
  }

  test.each(Object.entries(REPORTS))(
    'of %s opens from disk, asks for nothing, and is accessible',
    async (name, report) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, complaints } = await open(report);
        await page.emulateMedia({ colorScheme });
        await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
        expect(await violations(page)).toEqual([]);
        expect(complaints).toEqual([]);
        await shoot(page, `${name}-${colorScheme}`);
        await page.close();
      }
    },
  );

  test.each(Object.entries(REPORTS))(
    'of %s fits 320 pixels: only tables and pictures scroll',
    async (name, report) => {
      const { page } = await open(report, 320);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      expect(await violations(page)).toEqual([]);
      await shoot(page, `${name}-320`);
      await page.close();
    },
  );

  test.each([...BOOK.submissions, ...HOSTILE_BOOK.submissions].map((one) => [one.id, one] as const))(
    "of the student %s's page is accessible, wide and narrow, and asks for nothing",
    async (_, one) => {
      const book = BOOK.submissions.includes(one) ? BOOK : HOSTILE_BOOK;
      const reporter = await loadGradeReporter('html');
      if (reporter.of === 'class') throw new Error('The page is not one for each student.');
      for (const [width, colorScheme] of [
        [1200, 'light'],
        [320, 'dark'],
      ] as const) {
        const { page, complaints } = await openText(reporter.render(one, book), width);
        await page.emulateMedia({ colorScheme });
        await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        expect(complaints).toEqual([]);
        await page.close();
      }
    },
  );

  test('jumps to the first failure', async () => {
    const { page } = await open(LATE_OVERLAP);
    await page.getByRole('link', { name: 'Jump to the first failure' }).click();
    expect(page.url()).toMatch(/#finding-1$/);
    await expect
      .poll(() => page.evaluate('document.querySelector("#finding-1").getBoundingClientRect().top'))
      .toBeLessThan(400);
    await page.close();
  });

  test('has a slider over the batches, by mouse and by keyboard', async () => {
    const { page } = await open(LATE_OVERLAP);
    const slider = page.getByRole('slider', { name: 'Batch' });
    const shown = () => page.locator('.step:visible h4').allTextContents();
    expect(await shown()).toEqual(['After batch 2 of 2, as of 2026-03-01 06:00, ▲ late']);
    await page.getByRole('button', { name: 'Earlier' }).click();
    expect(await shown()).toEqual(['After batch 1 of 2, as of 2026-03-02 06:00']);
    expect(await page.getByRole('button', { name: 'Earlier' }).isDisabled()).toBe(true);
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toEqual(['After batch 2 of 2, as of 2026-03-01 06:00, ▲ late']);
    expect(await slider.getAttribute('aria-valuetext')).toContain('After batch 2');
    await page.close();
  });

  test('copies the replay command', async () => {
    const { page } = await open(LATE_OVERLAP);
    await page.evaluate(
      'document.addEventListener("copy", () => { document.title = String(getSelection()); }); navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))',
    );
    const button = page.getByRole('button', { name: /^Copy: npx scd2check replay/ });
    await button.click();
    await expect.poll(() => button.textContent()).toBe('Copied');
    expect(await page.title()).toBe(LATE_OVERLAP.findings[0]!.replay);
    await page.close();
  });

  test('is reached by the keyboard alone, the skip link first', async () => {
    const { page } = await open(LATE_OVERLAP);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the report');
    const reached = new Set<string>();
    for (let presses = 0; presses < 80; presses += 1) {
      reached.add(
        String(
          await page.evaluate(
            'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
          ),
        ),
      );
      await page.keyboard.press('Tab');
    }
    for (const name of [
      'Jump to the first failure',
      'Timeline',
      'Expected, finding 1',
      'Batches',
      '← Earlier',
    ])
      expect([...reached]).toContain(name);
    await page.close();
  });

  test('says everything without script, and without style', async () => {
    const { page } = await open(LATE_OVERLAP);
    const withScript = await page.locator('main').textContent();
    const context = await browser.context.browser()?.newContext({ javaScriptEnabled: false });
    const plain = context === undefined ? null : await context.newPage();
    const source = renderPage(LATE_OVERLAP, { full: false, separate: false }).replace(
      /<style>.*?<\/style>|<script>.*?<\/script>/gs,
      '',
    );
    const target = plain ?? (await browser.context.newPage());
    await target.setContent(source);
    const text = (await target.locator('main').textContent())!;
    for (const words of [
      'Two versions of customer_id',
      'After batch 1 of 2',
      'counted twice',
      '≠',
      '▲ late',
      '✕ wrong',
    ])
      expect(text).toContain(words);
    // The script adds buttons and takes nothing away.
    expect(withScript!.replace(/Copy|← EarlierBatch Later →|\s/g, '')).toBe(text.replace(/\s/g, ''));
    await shoot(target, 'late-overlap-plain');
    await context?.close();
    await page.close();
  });

  test('does nothing that a hostile value says', async () => {
    const { page, complaints } = await open(HOSTILE);
    expect(await page.title()).toMatch(/^FAIL: <\/script><img src=x/);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('main').textContent()).toContain('\\u{202e}\\x00\\x1b[31m');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('prints with every part unfolded and no buttons', async () => {
    const { page } = await open(LATE_OVERLAP);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator('.step:visible').count()).toBe(2);
    expect(await page.locator('details:not([open])').count()).toBe(0);
    expect(await page.locator('button:visible').count()).toBe(0);
    await shoot(page, 'late-overlap-print');
    const pdf = await page.pdf();
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await page.close();
  });

  test('of 10,000 findings shows some and says how many, so that it opens fast', async () => {
    const { page } = await open(manyFindings(10_000));
    const opened = (await page.evaluate(
      'performance.getEntriesByType("navigation")[0].loadEventEnd - performance.getEntriesByType("navigation")[0].startTime',
    )) as number;
    console.info(`10,000 findings: open after ${Math.round(opened)} ms`);
    expect(opened).toBeGreaterThan(0);
    // What a browser has to lay out, and not how long it takes on a busy machine.
    expect(await page.evaluate('document.getElementsByTagName("*").length')).toBeLessThan(40_000);
    expect(await page.getByRole('heading', { name: 'Findings (10000)' }).count()).toBe(1);
    expect(await page.locator('article.finding').count()).toBe(50);
    expect(await page.locator('.cut').textContent()).toContain(
      '50 of 10000 findings are shown whole, 500 more in a line each, and 9450 not at all.',
    );
    await page.close();
  });

  describe('in a folder, under the policy with which Jenkins serves files', () => {
    let server: Server;
    beforeAll(async () => {
      const files: Record<string, string> = {
        ...FILES,
        'index.html': renderPage(LATE_OVERLAP, { full: false, separate: true }),
      };
      server = createServer((request, response) => {
        const name = request.url!.slice(1);
        const type = { css: 'text/css', js: 'text/javascript', html: 'text/html; charset=utf-8' }[
          name.split('.').at(-1)!
        ];
        response.setHeader('content-type', type ?? 'text/plain');
        response.setHeader(
          'content-security-policy',
          "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';",
        );
        response.end(files[name] ?? '');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    test('it has its style, and every step is shown since no script runs', async () => {
      const page = await browser.context.newPage();
      const refused: string[] = [];
      page.on('console', (message) => {
        if (/style/i.test(message.text())) refused.push(message.text());
      });
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`);
      expect(await page.evaluate('getComputedStyle(document.querySelector(".verdict")).borderTopWidth')).toBe(
        '2px',
      );
      await page.locator('summary', { hasText: 'after each batch' }).click();
      expect(await page.locator('.step:visible').count()).toBe(2);
      expect(refused).toEqual([]);
      await shoot(page, 'late-overlap-jenkins');
      await page.close();
    });
  });
});
