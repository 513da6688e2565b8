// Finds Chromium for the browser tests or installs it: Debian's package, else Playwright's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../worker/commands/paths.ts';

const KNOWN_PATHS = [
  // Without the window system: a third less processor time for the same pages.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

function findChromium(): string | undefined {
  return [process.env.CHROMIUM ?? '', ...KNOWN_PATHS, chromium.executablePath()].find((path) =>
    existsSync(path),
  );
}

function run(program: string, ...args: string[]): void {
  spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * Finds or installs Chromium.
 * @returns the path of its program
 * @throws Error if it cannot be installed
 */
export async function installChromium(): Promise<string> {
  const existing = findChromium();
  if (existing !== undefined) return existing;
  console.log('Installing Chromium for the browser tests (once) …');
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    run('apt-get', 'update', '-qq');
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell');
    // Older releases of Debian have only the complete browser.
    if (findChromium() === undefined)
      run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium');
  }
  if (findChromium() === undefined)
    run(process.execPath, join(root, 'node_modules/playwright-core/cli.js'), 'install', 'chromium');
  const installed = findChromium();
  if (installed === undefined) {
    throw new Error(
      'The browser tests need Chromium: install it and set CHROMIUM to the path of its program.',
    );
  }
  return installed;
}
