// What all problems have in common: codes, texts, statuses, retry advice, cell errors, use.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  problemCodes as codes,
  createProblem,
  isProblemCode,
  type ProblemCode,
  problems,
} from '../../shared/problems.ts';

const getStatus = (code: ProblemCode): number => problems[code].policy.status;
/** The cell error that a problem declares for rows. */
const getRowError = (code: ProblemCode): string | undefined => problems[code].row?.cell;

/** Statuses by which clients treat a problem that they do not know (docs/api-stability.md). */
const statuses = [202, 401, 402, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 502, 503, 504];

/** Statuses that have one cell error: a seller or client must do the same for all their problems. */
const rowErrors: Readonly<Record<number, string>> = {
  202: '#PENDING',
  402: '#BUDGET',
  410: '#ERASED',
  429: '#RATE_LIMIT',
};

function readSources(folder: string): string {
  const path = join(import.meta.dirname, '..', '..', folder);
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(path, name), 'utf8'))
    .join('\n');
}

it.each(codes)('%s is in snake case, with a status that clients know and texts in sentences', (code) => {
  expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
  const { title, fix, type } = createProblem(code);
  expect(type).toBe(`urn:cdapi:problem:${code}`);
  for (const text of [title, fix]) expect(text).toMatch(/^[A-Z].*\.$/);
  expect(statuses).toContain(getStatus(code));
});

it.each(Object.entries(rowErrors))(
  'with status %s has the cell error %s, and no other has',
  (status, error) => {
    const ofStatus = codes.filter((code) => getStatus(code) === Number(status));
    expect(ofStatus).not.toEqual([]);
    expect(codes.filter((code) => getRowError(code) === error)).toEqual(ofStatus);
  },
);

it('of a row is unavailable if the cause is a server, and otherwise shows its own name', () => {
  for (const code of codes.filter((code) => rowErrors[getStatus(code)] === undefined)) {
    const error = getRowError(code);
    if (error === undefined) continue;
    // A call that may have been charged must not be repeated like one that failed.
    if (code === 'provider_unclear') expect(error).toBe('#UNCLEAR');
    else if (getStatus(code) >= 500) expect(error, code).toBe('#UNAVAILABLE');
    else expect(`#${code.toUpperCase()}`, code).toContain(error);
  }
});

it('that ends only its row shows an error there, and one that stops enrichments needs a person', () => {
  for (const code of codes) {
    const { ends, retry } = problems[code].policy;
    if (ends === 'row') expect(getRowError(code), code).toBeDefined();
    if (ends === 'automation') expect(retry, code).not.toBe('soon');
  }
});

it('of a row that the gateway builds has a cell error', () => {
  const built = [...readSources('worker').matchAll(/buildProblemRow\('(\w+)'/g)].map(([, code = '']) => code);
  expect(built).not.toEqual([]);
  for (const code of built) expect(isProblemCode(code) && getRowError(code), code).toMatch(/^#/);
});

it('occurs: the Worker or the add-on names each code', () => {
  const text = readSources('worker') + readSources('addon');
  expect(codes.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
});

it('describes invalid keys for every formula', () => {
  const { title, fix } = createProblem('invalid_key');
  expect(fix).toContain('one value to look up into each row');
  expect(`${title} ${fix}`).not.toMatch(/\bid\b|shorthand|profile/);
});
