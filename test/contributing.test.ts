// Guides name what exists: test suites, tests, files, headings, commands and packages.
import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { slugify } from '../docs/.vitepress/slugify.ts';
import { root } from '../worker/commands/paths.ts';

/** Returns the first group of each match, sorted. */
function listMatches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name).sort();
}

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

async function findFiles(...patterns: string[]): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(patterns, { cwd: root })) files.push(file);
  return files;
}

const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

const readPackage = async () => packageSchema.parse(JSON.parse(await read('package.json')));

it('CONTRIBUTING.md lists exactly the suites of vitest.config.ts', async () => {
  const [, table = ''] = (await read('CONTRIBUTING.md')).split('| suite |');
  const suites = listMatches(await read('vitest.config.ts'), /\bname: '(\w+)'/g);
  expect(suites).toContain('workerd');
  expect(listMatches(table, /^\| `(\w+)` \|/gm)).toEqual(suites);
});

it('docs/security.md names a test for each control, and only tests that exist', async () => {
  const rows = listMatches(await read('docs/security.md'), /^\| (?:[STRIDE] )+\| .* \| (.*) \|$/gm);
  expect(rows.length).toBeGreaterThan(30);
  const known = new Set((await findFiles('test/**/*.test.ts')).map((path) => basename(path)));
  for (const row of rows) {
    const named = listMatches(row, /`([^`]+)`/g);
    expect(named).not.toEqual([]);
    for (const name of named) if (name.endsWith('.ts')) expect([...known]).toContain(name);
  }
});

it('docs/promises.md names a test for each promise, only tests that exist, and those that only npm run test:all runs', async () => {
  const rows = [...(await read('docs/promises.md')).matchAll(/^\| (.*) \| `(test\/[^`]+)`: (.+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(15);
  for (const [, promise = '', file = '', title = ''] of rows) {
    const text = await read(file);
    expect(text).toContain(`'${title}`);
    const isLong = file.endsWith('.long.test.ts') || text.includes(`longIt('${title}`);
    expect([file, promise.includes('test:all')]).toEqual([file, isLong]);
  }
});

it('docs/dependencies.md explains exactly the packages of package.json', async () => {
  const cells = listMatches(await read('docs/dependencies.md'), /^\| (`.*?`) \|/gm);
  const { dependencies, devDependencies } = await readPackage();
  const named = cells.flatMap((cell) => listMatches(cell, /`([^`]+)`/g)).sort();
  expect(named).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort());
});

it('README.md is short', async () => {
  expect((await read('README.md')).split('\n').length).toBeLessThan(120);
});

describe('pages', () => {
  const texts = new Map<string, string>();
  const anchors = new Map<string, ReadonlySet<string>>();
  let known: ReadonlySet<string>;

  beforeAll(async () => {
    const pages = await findFiles('*.md', 'docs/**/*.md', 'examples/*.md', 'test/**/*.md', '.github/**/*.md');
    for (const page of pages) {
      // Code is no Markdown.
      const text = (await read(page)).replaceAll(/^( *)(`{3,})[\s\S]*?^\1\2/gm, '');
      texts.set(page, text);
      const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        slugify(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
      );
      anchors.set(page, new Set(headings));
    }
    const folders = ['addon', 'docs', 'examples', 'shared', 'test', 'worker', '.github'];
    const files = await findFiles('*', ...folders.map((folder) => `${folder}/**`));
    known = new Set(files.map((path) => path.replace(/\/$/, '')));
  });

  it('link to files and headings that exist', () => {
    const broken = [...texts].flatMap(([page, text]) =>
      listMatches(text, /\]\(([^)\s]+)\)/g)
        .filter((link) => {
          if (/^\w+:/.test(link)) return false;
          const [path = '', anchor] = link.split('#');
          const target = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '');
          if (!known.has(target)) return true;
          return anchor !== undefined && anchors.get(target)?.has(anchor) !== true;
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('show each picture, and each is light', async () => {
    const pictures = [...known].filter((path) => path.startsWith('docs/pictures/'));
    expect(pictures.length).toBeGreaterThan(0);
    for (const path of pictures) {
      expect(
        [...texts.values()].some((text) => text.includes(path.replace('docs/', ''))),
        path,
      ).toBe(true);
      expect((await readFile(join(root, path))).byteLength, path).toBeLessThan(150_000);
    }
  });

  it('name commands that exist', async () => {
    const { scripts } = await readPackage();
    for (const page of texts.keys()) {
      const named = listMatches(await read(page), /\bnpm run ([a-z][\w:-]*)/g);
      expect(
        named.filter((name) => !(name in scripts)),
        page,
      ).toEqual([]);
    }
  });
});
