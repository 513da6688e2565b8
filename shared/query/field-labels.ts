// Labels of fields, generated from their names unless the family has others.
import { familyLabels } from '../families/registry.ts';

/** Words of names that are written in capitals. */
const ACRONYM = /^(?:hq|b2b|id|iso|url|api|urn)(?=s?$)/;

/** Labels that replace the generated ones. */
const labels = new Map<string, string>([
  ['_score', 'Score'],
  ...Object.values(familyLabels).flatMap(({ fields }) => Object.entries(fields)),
]);
/** Location fields that are labelled by their last word. */
const LOCATION_PART = /^location(?:_hq)?_(country|city|state)$/;

/** Converts a name to a label: `reaction_count` → `Reaction count`. */
export function humanise(name: string): string {
  const known = labels.get(name);
  if (known !== undefined) return known;
  const words = name.replace(LOCATION_PART, '$1').split('_');
  const text = words.map((word) => word.replace(ACRONYM, (letters) => letters.toUpperCase())).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Formats the label of a field path: `funding_rounds.last_round_type` → `Funding rounds › Last round type`. */
export function formatFieldLabel(path: string): string {
  return path.split('.').map(humanise).join(' › ');
}
