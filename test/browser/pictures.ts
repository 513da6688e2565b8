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

/** The page's part of reading pictures. */
const READ = `async (source) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + source;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  return canvas.getImageData(0, 0, image.width, image.height).data;
}`;

/** The pixels of a picture, four bytes each. */
async function pixels(page: Page, png: Buffer): Promise<Buffer> {
  const source = JSON.stringify(png.toString('base64'));
  const data = await page.evaluate<string>(`(${READ})(${source}).then((data) => {
    let text = '';
    for (const byte of data) text += String.fromCharCode(byte);
    return btoa(text);
  })`);
  return Buffer.from(data, 'base64');
}

async function changed(page: Page, before: Buffer, now: Buffer): Promise<number> {
  const [one, other] = [await pixels(page, before), await pixels(page, now)];
  if (one.length !== other.length) return 1;
  let different = 0;
  for (let at = 0; at < one.length; at += 4) {
    const by = [0, 1, 2].map((channel) => Math.abs((one[at + channel] ?? 0) - (other[at + channel] ?? 0)));
    if (Math.max(...by) > SAME_WITHIN) different += 1;
  }
  return different / (one.length / 4);
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
