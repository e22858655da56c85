import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/**
 * `npm run pictures [-- <path of Chromium>]`: the pictures of the documentation, taken of pages that runs have just written.
 * They are made by hand and not by tests, since fonts differ from machine to machine; and this is plain JavaScript, since
 * Playwright does not load under the loader that runs TypeScript here.
 */
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'scd2check-pictures-'));
const pictures = import.meta.dirname;

function scd2check(...args) {
  try {
    execFileSync(process.execPath, [join(root, 'bin/scd2check.js'), ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  } catch (error) {
    // What fails is what the pictures show.
    if (error.status !== 1) throw error;
  }
}

async function takeAll() {
  scd2check(join(root, 'examples/seeds/daily-merge.sql'), '--reporter', 'html:report.html');
  const browser = await chromium.launch({
    executablePath: process.argv[2] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const take = async (name, height, look) => {
    const page = await browser.newPage({ viewport: { width: 1000, height } });
    await page.goto(pathToFileURL(join(folder, 'report.html')).href);
    await look(page);
    await page.screenshot({ path: join(pictures, name) });
    await page.close();
  };
  try {
    await take('report-top.png', 620, async () => undefined);
    await take('report-finding.png', 700, (page) =>
      page
        .locator('article')
        .first()
        .evaluate((element) => element.scrollIntoView()),
    );
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await takeAll();
