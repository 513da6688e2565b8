// Starts Chromium and polls what pages show.
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { expect } from 'vitest';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Long enough for formulas and orders on a busy machine. */
export const PATIENCE = { timeout: 40_000, interval: 50 };

const LAUNCH = {
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
};

function startBrowser(): Promise<Browser> {
  return chromium.launch(LAUNCH);
}

let profile: Promise<BrowserContext> | undefined;

/**
 * Returns the browser profile that all files of this process share. It ends with the process. Chromium keeps the compiled
 * scripts of a profile, but not of other windows.
 * @param options - used when it starts
 */
export function shareProfile(options: BrowserContextOptions): Promise<BrowserContext> {
  profile ??= chromium.launchPersistentContext('', { ...LAUNCH, ...options });
  return profile;
}

let shared: Promise<Browser> | undefined;

/** Returns the browser that all files of this process share. It ends with the process. */
export function shareBrowser(): Promise<Browser> {
  shared ??= startBrowser();
  return shared;
}

/** Replaces non-breaking spaces of texts by spaces, also in lists. */
const simplifySpaces = (read: unknown): unknown =>
  typeof read === 'string'
    ? read.replaceAll('\u00a0', ' ')
    : Array.isArray(read)
      ? read.map(simplifySpaces)
      : read;

/** Polls with a timeout for busy machines. Non-breaking spaces count as spaces. */
export function eventually(read: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(async () => simplifySpaces(await read()), PATIENCE);
}

/** Makes the spaces of a pattern match non-breaking ones, too, as Playwright does for strings. */
export const matchSpaces = (text: string | RegExp): string | RegExp =>
  typeof text === 'string' ? text : new RegExp(text.source.replaceAll(' ', '\\s'), text.flags);
