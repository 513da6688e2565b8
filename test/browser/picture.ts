// Takes the pictures of the documentation. Runs without PICTURES=1 only check that the steps still lead to them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../worker/commands/paths.ts';

/** @param name - of the file in docs/pictures, without `.png` */
export async function takePicture(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  if (process.env.PICTURES === '1') await writeFile(join(root, 'docs', 'pictures', `${name}.png`), picture);
}
