// Failure codes of the log are used and documented.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failureCodes } from '../../worker/http/log.ts';

const root = join(import.meta.dirname, '..', '..');
const worker = join(root, 'worker');

function sources(): string[] {
  return readdirSync(worker, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'log.ts')
    .map((name) => readFileSync(join(worker, name), 'utf8'));
}

it('docs/admin.md lists exactly the failure codes', () => {
  const table =
    readFileSync(join(root, 'docs', 'admin.md'), 'utf8').split('**Failures in the log**')[1] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const codes = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, code]) => code),
  );
  expect(codes.toSorted()).toEqual([...failureCodes].toSorted());
});

it('the Worker uses each failure code', () => {
  const text = sources().join('\n');
  expect(failureCodes.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
});
