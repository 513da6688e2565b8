// Generates docs/storage-limits.md from worker/operations/storage-limits.ts. A test checks that the page is current.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type StorageLimit, storageLimits } from '../../operations/storage-limits.ts';
import { root } from '../paths.ts';

/** Path of the generated page. */
export const STORAGE_LIMITS_DOCS_FILE = join(root, 'docs', 'storage-limits.md');

const formatRow = ({ name, cause, cap, retention }: StorageLimit): string =>
  `| \`${name}\` | ${cause} | ${cap} | ${retention} |`;

/** Renders the page. @returns Markdown */
export function renderStorageLimitsDocs(): string {
  const sections = [...Map.groupBy(storageLimits, ({ store }) => store)].map(([store, limits]) =>
    [
      `## ${store}`,
      ['| name | caused by | at most, per team | kept |', '|---|---|---|---|', ...limits.map(formatRow)].join(
        '\n',
      ),
    ].join('\n\n'),
  );
  return `${[
    '# Storage limits',
    'Generated from `worker/operations/storage-limits.ts` by `npm run docs:storage-limits`. [Storage](storage.md) says what each of them contains.',
    'What a client can make the gateway store has a cap per team and a retention. Beyond a cap, a call is refused with `too_many` or `rate_limited`, or replaces the oldest entries. What an admin does has no cap.',
    ...sections,
  ].join('\n\n')}\n`;
}

if (import.meta.main) await writeFile(STORAGE_LIMITS_DOCS_FILE, renderStorageLimitsDocs());
