// Renders docs/storage-limits.md from worker/operations/storage-limits.ts.
import { type StorageLimit, storageLimits } from '../../operations/storage-limits.ts';
import { formatTable } from './markdown.ts';

const listCells = ({ name, cause, cap, retention }: StorageLimit): string[] => [
  `\`${name}\``,
  cause,
  String(cap),
  retention,
];

/** Renders the page. @returns Markdown */
export function renderStorageLimitsDocs(): string {
  const sections = [...Map.groupBy(storageLimits, ({ store }) => store)].map(([store, limits]) =>
    [
      `## ${store}`,
      formatTable(['name', 'caused by', 'at most, per team', 'kept'], limits.map(listCells)),
    ].join('\n\n'),
  );
  return `${[
    '# Storage limits',
    'Generated from `worker/operations/storage-limits.ts` by `npm run docs:pages`. [Storage](storage.md) says what each of them contains.',
    'What a client can make the gateway store has a cap per team and a retention. Beyond a cap, a call is refused with `too_many` or `rate_limited`, or replaces the oldest entries. What an admin does has no cap.',
    ...sections,
  ].join('\n\n')}\n`;
}
