// Changes the option `refresh=N` in the text of a formula. Sheets runs a custom function again when its arguments change.

import { formulas } from '../../shared/formulas.ts';
import { CALL, splitArguments } from './formula-calls.ts';
import { maskQuoted } from './formula-cells.ts';

const OPTIONS_INDEX = new Map(
  formulas.map(({ name, parameters }) => [
    name,
    parameters.findIndex((parameter) => parameter.name === 'options'),
  ]),
);

const OPTION = /(\brefresh\s*=\s*)(\d+)/i;
const LITERAL = /^"[^"]*"$/;

/** Sets the option in the text of the argument `options`, which may be an expression. */
function setOption(argument: string, separator: string, now: number): string {
  const [, , last] = OPTION.exec(argument) ?? [];
  if (last !== undefined) {
    const next = Math.max(now, Number(last) + 1);
    return argument.replace(OPTION, (_, name: string) => `${name}${next}`);
  }
  const option = `refresh=${now}`;
  if (argument === '' || argument === '""') return `"${option}"`;
  if (LITERAL.test(argument)) return `${argument.slice(0, -1)}, ${option}"`;
  return `TEXTJOIN(${['", "', 'TRUE', argument, `"${option}"`].join(`${separator} `)})`;
}

/**
 * Changes the option `refresh` in each call of the add-on.
 * @param now - Unix time in seconds: a number that was used before could bring back a result that Sheets has cached
 */
export function changeRefreshOption(formula: string, now: number): string {
  let changed = formula;
  // The last call first: the positions of the others stay.
  for (const call of [...maskQuoted(formula).matchAll(CALL)].reverse()) {
    const start = (call.index ?? 0) + call[0].length;
    const at = OPTIONS_INDEX.get((call[1] ?? '').toUpperCase()) ?? -1;
    const parsed = splitArguments(changed, maskQuoted(changed), start);
    if (at < 0 || parsed === undefined) continue;
    const { texts, separator, end } = parsed;
    while (texts.length <= at) texts.push('');
    texts[at] = setOption(texts[at] ?? '', separator, now);
    changed = changed.slice(0, start) + texts.join(`${separator} `) + changed.slice(end);
  }
  return changed;
}
