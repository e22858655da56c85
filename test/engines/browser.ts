import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/**
 * Whether there is a Chromium. In CI it is installed from Debian's packages where it is missing, and then the answer is
 * always yes: a test that cannot run there is to fail.
 */
export function hasChromium(): boolean {
  if (existsSync(CHROMIUM)) return true;
  if (process.env['CI'] !== 'true') return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-q'], { env });
  const packages = ['chromium', 'chromium-driver', 'fonts-dejavu-core'];
  spawnSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], {
    env,
    stdio: 'inherit',
  });
  return true;
}

export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** A browser with an empty profile, which asks nobody but the page that it is sent to. */
export async function openBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'scd2check-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
