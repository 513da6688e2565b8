// Compares what is on the screen with a picture that was kept.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { indexedPng } from './png.ts';

const FOLDER = join(import.meta.dirname, 'screenshots');
const FONTS = join(FOLDER, 'fonts.json');

/** Set to keep new pictures: `UPDATE_PICTURES=1 npm test -- test/browser/sidebar-states.test.ts`. */
const UPDATE = process.env.UPDATE_PICTURES === '1';

/** Channels may differ by so much, of 255, before a pixel counts as another: edges of letters do. */
const SAME_WITHIN = 48;

/** What a picture comes to. */
export interface Comparison {
  width: number;
  height: number;
  /** The share of pixels that are not as they were; undefined on a machine that has other fonts. */
  changed: number | undefined;
}

/** How wide the page's fonts are: pictures can be compared only where they are the same. */
function fonts(page: Page): Promise<string> {
  return page.evaluate<string>(`JSON.stringify(['--text', '--code'].map((name) => {
    const line = document.createElement('canvas').getContext('2d');
    line.font = '13px ' + getComputedStyle(document.documentElement).getPropertyValue(name);
    return Math.round(line.measureText('Quick 1,234 wizards jump; “vext” HJ/&@').width * 100);
  }))`);
}

/** The page's part of reading pictures: four bytes a pixel. */
const READ = `async (source) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + source;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
  canvas.drawImage(image, 0, 0);
  return canvas.getImageData(0, 0, image.width, image.height).data;
}`;

/** The page's part of comparing them: the share of pixels that differ in any channel. */
const COMPARE = `([before, now]) => {
  if (before.length !== now.length) return 1;
  const isOther = (at) => Math.abs(before[at] - now[at]) > ${SAME_WITHIN};
  let different = 0;
  for (let at = 0; at < now.length; at += 4) if (isOther(at) || isOther(at + 1) || isOther(at + 2)) different += 1;
  return different / (now.length / 4);
}`;

const quoted = (png: Buffer): string => JSON.stringify(png.toString('base64'));

/** The pixels of a picture, four bytes each. */
async function pixels(page: Page, png: Buffer): Promise<Buffer> {
  const data = await page.evaluate<string>(`(${READ})(${quoted(png)}).then((data) => {
    let text = '';
    for (const byte of data) text += String.fromCharCode(byte);
    return btoa(text);
  })`);
  return Buffer.from(data, 'base64');
}

/** They are read and compared where they are: what comes back is a number, not a megabyte of pixels. */
async function changed(page: Page, before: Buffer, now: Buffer): Promise<number> {
  if (before.equals(now)) return 0;
  const both = `[${quoted(before)}, ${quoted(now)}]`;
  return page.evaluate<number>(`Promise.all(${both}.map(${READ})).then(${COMPARE})`);
}

/**
 * Compares the page with the picture that was kept of it.
 * @param blank - another page, which reads the pictures
 * @throws Error where there is no picture yet
 */
export async function comparePicture(page: Page, blank: Page, name: string): Promise<Comparison> {
  const file = join(FOLDER, `${name}.png`);
  const now = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const size = { width: now.readUInt32BE(16), height: now.readUInt32BE(20) };
  const own = await fonts(page);
  if (UPDATE) {
    await mkdir(dirname(file), { recursive: true });
    const small = indexedPng(size.width, size.height, await pixels(blank, now));
    await writeFile(file, small ?? now);
    await writeFile(FONTS, `${own.replace(',', ', ')}\n`);
    return { ...size, changed: 0 };
  }
  const before = await readFile(file).catch(() => {
    throw new Error(`There is no picture ${name}.png yet: keep one with UPDATE_PICTURES=1.`);
  });
  const known = JSON.stringify(JSON.parse(await readFile(FONTS, 'utf8')));
  return { ...size, changed: known === own ? await changed(blank, before, now) : undefined };
}
