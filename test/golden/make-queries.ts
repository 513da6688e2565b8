// Generates the golden answers: runs the queries of queries/ in Lucene over the documents of each index.
// Development only. Needs a JDK (17 or newer) and Lucene 8; run: node test/golden/make-queries.ts [INDEX …]
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractDomain } from '../../shared/index-fields/indexed-url.ts';
import type { Mapping, Properties, Property } from '../../shared/index-fields/mapping.ts';
import { runCommand, UserError } from '../../worker/commands/user-error.ts';
import { digestDocuments, type GoldenDocument } from './document.ts';
import { readGoldenDocuments } from './documents.ts';
import { readJsonFile } from './files.ts';
import { type GoldenIndex, type GoldenSet, goldenIndexes, goldenNow, loadGoldenSet } from './load.ts';
import { type Json, toObject } from './read.ts';

const JARS = '/usr/share/java';
const PARTS = ['core', 'queryparser', 'queries', 'join', 'misc', 'sandbox', 'analyzers-common'];
const here = import.meta.dirname;

function run(program: string, args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (error !== undefined) {
    throw new UserError(
      `${program} could not run (${error.message}). A JDK is needed; on Debian: apt-get install openjdk-17-jdk-headless.`,
    );
  }
  if (status !== 0) throw new UserError(`${program} failed:\n${stderr}`);
}

/** Returns the class path of Lucene 8. */
function getClassPath(): string {
  const installed = existsSync(JARS) ? readdirSync(JARS) : [];
  const found = PARTS.map((part) =>
    installed.find((name) => new RegExp(`^lucene-${part}-8[.\\d]*\\.jar$`).test(name)),
  );
  const missing = PARTS.filter((_, at) => found[at] === undefined);
  if (missing.length > 0) {
    throw new UserError(
      `Lucene 8 is missing: no lucene-${missing.join(', lucene-')} in ${JARS}. On Debian: apt-get install liblucene8-java.`,
    );
  }
  return found.map((name) => join(JARS, name ?? '')).join(':');
}

/** Yields all texts in a value. */
function* listTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) yield* listTexts(inner);
  }
}

const derives = (property: Property): boolean =>
  'properties' in property
    ? anyDerives(property.properties)
    : 'derive' in property || ('fields' in property && anyDerives(property.fields ?? {}));
const anyDerives = (properties: Properties): boolean => Object.values(properties).some(derives);

/** Extracts the hosts of URLs in documents, so that Lucene uses the project's rule. */
function extractHosts(documents: readonly GoldenDocument[], mapping: Mapping): Record<string, string> {
  const hosts: Record<string, string> = {};
  if (!anyDerives(mapping.properties)) return hosts;
  for (const text of listTexts(documents)) {
    const host = extractDomain(text);
    if (host !== undefined) hosts[text] = host;
  }
  return hosts;
}

/** Runs the queries of a set in Lucene. */
function runQueries(
  work: string,
  classPath: string,
  set: GoldenSet,
  documents: readonly GoldenDocument[],
): Json {
  const [request, lines, answer] = ['request.json', 'documents.jsonl', 'answer.json'].map((name) =>
    join(work, `${set.index}-${name}`),
  );
  if (request === undefined || lines === undefined || answer === undefined) throw new TypeError('no path');
  const queries = Object.fromEntries(set.queries.map(({ name, body }) => [name, body]));
  const hosts = extractHosts(documents, set.mapping);
  writeFileSync(request, JSON.stringify({ mapping: set.mapping, now: goldenNow, hosts, queries }));
  writeFileSync(lines, documents.map((document) => JSON.stringify(document)).join('\n'));
  run('java', ['-classpath', `${work}:${classPath}`, 'golden.Golden', request, lines, answer]);
  return toObject(readJsonFile(answer));
}

function write(name: string, entries: Json): void {
  const lines = Object.entries(entries).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  writeFileSync(join(here, 'answers', `${name}.json`), `{\n${lines.join(',\n')}\n}\n`);
}

function report(index: GoldenIndex, answers: Json): void {
  const all = Object.values(answers).map(toObject);
  const refused = all.filter((answer) => 'error' in answer).length;
  const hit = all.filter((answer) => typeof answer.total === 'number' && answer.total > 0).length;
  console.log(`${index}: ${all.length} queries, ${hit} with hits, ${refused} refused`);
}

await runCommand(async () => {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !goldenIndexes.some((index) => index === name));
  if (unknown.length > 0)
    throw new UserError(`There is no index ${unknown.join(', ')}; there are ${goldenIndexes.join(', ')}.`);
  const classPath = getClassPath();
  const work = mkdtempSync(join(tmpdir(), 'golden-'));
  try {
    run('javac', [
      '-d',
      work,
      '-classpath',
      classPath,
      ...globSync(join(here, 'java', '{golden,org}', '**', '*.java')),
    ]);
    const digests = { ...toObject(readJsonFile(join(here, 'answers', 'documents.json'))) };
    for (const index of goldenIndexes) {
      if (asked.length > 0 && !asked.includes(index)) continue;
      const set = loadGoldenSet(index);
      const documents = await readGoldenDocuments(set);
      if (documents === undefined) {
        console.log(`${index}: left as it is, its documents are not here`);
        continue;
      }
      const answers = runQueries(work, classPath, set, documents);
      write(index, answers);
      digests[index] = { count: documents.length, sha256: await digestDocuments(documents) };
      report(index, answers);
    }
    write('documents', digests);
  } finally {
    rmSync(work, { recursive: true });
  }
});
