// Troubleshooting has an entry for each problem and each error word of cells.
import { expect, it } from 'vitest';
import { getHelpAnchor } from '../../shared/help-path.ts';
import { getCellError, problemCodes } from '../../shared/problems.ts';
import { troubleshooting } from '../../shared/troubleshooting.ts';

it('has the entry that a problem names', () => {
  expect(troubleshooting.flatMap((entry) => entry.codes).sort()).toEqual([...problemCodes].sort());
});

it.each([...new Set(problemCodes.map(getCellError))])('has an entry for the cell error %s', (error) => {
  const entry = troubleshooting.find(({ id }) => id === getHelpAnchor(error));
  expect(entry?.symptom).toContain(`\`${error}\``);
});

it('gives every anchor of the page one place', () => {
  const anchors = troubleshooting.flatMap((entry) => [entry.id, ...entry.codes, ...(entry.aliases ?? [])]);
  // The heading of an entry is the place of a code with the same name.
  expect(anchors.filter((anchor, at) => anchors.indexOf(anchor) !== at)).toEqual(['pending', 'erased']);
});
