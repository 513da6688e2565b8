// Cuts JSON down to paths: `filter_path` of an answer, `_source` of a document.
import { isObject } from '../../shared/lib/is-object.ts';

type Test = (path: string) => boolean;

/** Keeps what is included, with the objects around it, and drops what is excluded. */
function filterValue(value: unknown, path: string, isIncluded: Test, isExcluded: Test): unknown {
  const included = path !== '' && isIncluded(path);
  if (Array.isArray(value)) {
    const items = value
      .map((item: unknown) => filterValue(item, path, isIncluded, isExcluded))
      .filter((item) => item !== undefined);
    return included || items.length > 0 ? items : undefined;
  }
  if (!isObject(value)) return included ? value : undefined;
  const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const below = path === '' ? name : `${path}.${name}`;
    const left = isExcluded(below) ? undefined : filterValue(inner, below, isIncluded, isExcluded);
    return left === undefined ? [] : [[name, left]];
  });
  return included || kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/**
 * A pattern names a field and everything in it.
 * @param star - what `*` fits, as a regular expression
 */
function pathTest(patterns: readonly string[], star: string): Test {
  const wildcards: Readonly<Record<string, string>> = { '*': star, '**.': '(?:.*\\.)?', '**': '.*' };
  const tests = patterns.map((pattern) => {
    const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
    const source = escaped.replaceAll(
      /\*\*\\\.|\*\*|\*/g,
      (part) => wildcards[part.replace('\\', '')] ?? part,
    );
    return new RegExp(`^${source}(?:\\..*)?$`, 's');
  });
  return (path) => tests.some((test) => test.test(path));
}

const all: Test = () => true;

/**
 * Cuts an answer down.
 * @param filter - paths separated by commas, those to leave out with `-` before them; `*` is a part of a name, `**` any
 *   number of names
 */
export function filterAnswer(answer: unknown, filter: string): unknown {
  const paths = filter.split(',').filter((path) => path !== '');
  const wanted = paths.filter((path) => !path.startsWith('-'));
  const unwanted = paths.filter((path) => path.startsWith('-')).map((path) => path.slice(1));
  const isIncluded = wanted.length === 0 ? all : pathTest(wanted, '[^.]*');
  return filterValue(answer, '', isIncluded, pathTest(unwanted, '[^.]*')) ?? {};
}

/**
 * Cuts a source down to the fields that fit a pattern of `includes`, if there is any, and no pattern of `excludes`.
 * `*` is any text, dots included.
 */
export function filterSource(
  source: unknown,
  { includes, excludes }: { includes: readonly string[]; excludes: readonly string[] },
): unknown {
  const isIncluded = includes.length === 0 ? all : pathTest(includes, '.*');
  return filterValue(source, '', isIncluded, pathTest(excludes, '.*')) ?? {};
}
