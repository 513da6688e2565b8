// Formulas that people copy work in every locale: semicolons separate their arguments.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasWrongSeparator } from '../../addon/dev/host/sheets/locales.ts';
import { root } from '../../worker/commands/paths.ts';

const FOLDERS = ['addon', 'shared', 'docs', 'worker'];
const CALL = /=[A-Z][A-Z_]+\((?:"(?:[^"\n]|"")*"|[^()"\n])*\)/g;

it('finds a comma between arguments', () => {
  const text = 'Type =CDAPI_ENRICH(A2, "name, size") or `=IF(B2="#NOT_FOUND"; ""; B2)`.';
  const calls = text.match(CALL) ?? [];
  expect(calls).toEqual(['=CDAPI_ENRICH(A2, "name, size")', '=IF(B2="#NOT_FOUND"; ""; B2)']);
  expect(calls.map((call) => hasWrongSeparator(call, 'de_DE'))).toEqual([true, false]);
});

it('shows every formula with semicolons', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:tsx?|md|html)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const calls = [join(root, 'README.md'), ...files].flatMap((file) =>
    (readFileSync(file, 'utf8').match(CALL) ?? []).map((call) => `${file}: ${call}`),
  );
  expect(calls.length).toBeGreaterThan(20);
  expect(calls.filter((call) => hasWrongSeparator(call.slice(call.indexOf('=')), 'de_DE'))).toEqual([]);
});
