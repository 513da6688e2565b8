// Starts Chromium and polls what pages show.
import { type Browser, chromium } from 'playwright-core';
import { expect } from 'vitest';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Long enough for formulas and orders on a busy machine. */
export const PATIENCE = { timeout: 40_000, interval: 50 };

export function startBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

let shared: Promise<Browser> | undefined;

/** Returns the browser that all files of this process share. It ends with the process. */
export function shareBrowser(): Promise<Browser> {
  shared ??= startBrowser();
  return shared;
}

/** Polls with a timeout for busy machines. */
export function eventually(read: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(read, PATIENCE);
}
