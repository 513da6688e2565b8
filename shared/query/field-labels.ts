// Labels of fields, generated from their names unless the family has others.
import { familyLabels } from '../families/registry.ts';

/** Words of names that are written in capitals. */
const ACRONYM = /^(?:b2b|id|url|api|zip)(?=s?$)/;

/** Parts of names that say nothing to a reader. */
const NOISE =
  /^(?:enriched|is|social|websites)_|^company_(?=\w+_collection$)|^date_(?=from|to)|location_(?:hq_)?(?:(?:raw|full)_)?(?=[a-z])|_(?:collection|range)$/g;

/** Parts of names and their replacements. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [NOISE, ''],
  [/s?_count$/, 's'],
  [/^name_(\w+)/, '$1_name'],
  [/_iso_(\d)$/, '_code_($1_letters)'],
  [/_months$/, '_in_months'],
  [/([a-z])(\d)$/, '$1_$2'],
  [/^metadata/, 'website'],
  [/canonical/, 'current'],
  [/^specialt(?=y$|ies$)/, 'specialit'],
];

/** Labels that replace the generated ones. */
const labels = new Map<string, string>([
  ['_score', 'Relevance'],
  ...Object.values(familyLabels).flatMap(({ fields }) => Object.entries(fields)),
]);

/** Converts a name to a label: `reaction_count` → `Reactions`. */
export function humanise(name: string): string {
  const known = labels.get(name);
  if (known !== undefined) return known;
  const words = PLAIN.reduce((text, [part, plain]) => text.replace(part, plain), name).split('_');
  const text = words.map((word) => word.replace(ACRONYM, (letters) => letters.toUpperCase())).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Formats the label of a field path: `funding_rounds.last_round_type` → `Funding rounds › Last round type`. Parts with an
 * empty label are left out.
 */
export function formatEnglishFieldLabel(path: string): string {
  return path.split('.').map(humanise).filter(Boolean).join(' › ');
}

/** Headings of the root fields in a list of fields, by the field's name. The first match counts. */
const SECTIONS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|_)ids?$|hash/, 'Identifiers'],
  [/location|country|city|state|region/, 'Location'],
  [/website|url|domain|email|phone/, 'Web and contact'],
  [/size|employees|founded|follower|connections/, 'Size and age'],
  [/updated|created|deleted|metadata/, 'Record'],
];

/** Returns the heading of a field in a list of fields: that of its nested object, or of its kind. */
export function getFieldSection(path: string): string {
  const nested = path.lastIndexOf('.');
  if (nested >= 0) return formatEnglishFieldLabel(path.slice(0, nested));
  return SECTIONS.find(([pattern]) => pattern.test(path))?.[1] ?? 'General';
}
