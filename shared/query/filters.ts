// A named filter of the flat filter object: what it takes and which index fields it searches. The families' files list theirs.

/**
 * What a filter takes.
 * `text` words with AND, OR, groups, "phrases" and trailing * · `exact` a whole value · `host` a website, by its host ·
 * `integer` · `flag` true, false, 1 or 0 · `datetime` `YYYY-MM-DD HH:MM:SS` · `date` `YYYY-MM-DD` · `month` a date whose day and
 * month may be left out
 */
export type FilterType = 'text' | 'exact' | 'host' | 'integer' | 'flag' | 'datetime' | 'date' | 'month';

/** One filter. */
export interface Filter {
  name: string;
  type: FilterType;
  /** The index fields it searches: any of them will do. */
  fields: readonly string[];
  /**
   * The nested objects that hold the fields, where filters on the same path are about the same object. Without it a
   * filter on nested objects may be met by several of them.
   */
  path?: string;
  /** An inclusive end of a range; without it the value itself is meant. */
  bound?: 'gte' | 'lte';
  /** What people read beside it in a form. */
  label: string;
}

/** A filter; the field that it searches has its name where no other is said. */
export function singleFilter(
  name: string,
  type: FilterType,
  label: string,
  fields: readonly string[] = [name],
  path?: string,
): Filter[] {
  return [{ name, type, label, fields, ...(path === undefined ? {} : { path }) }];
}

/** Words in one field, or in any of several. */
export function textFilter(
  name: string,
  label: string,
  fields: string | readonly string[] = name,
  path?: string,
): Filter[] {
  return singleFilter(name, 'text', label, typeof fields === 'string' ? [fields] : fields, path);
}

/** `<name>_gte` and `<name>_lte`. */
export function rangeFilters(
  name: string,
  type: FilterType,
  label: string,
  field: string = name,
  path?: string,
): Filter[] {
  const shared = { type, fields: [field], ...(path === undefined ? {} : { path }) };
  return [
    { name: `${name}_gte`, bound: 'gte', label: `${label} from`, ...shared },
    { name: `${name}_lte`, bound: 'lte', label: `${label} to`, ...shared },
  ];
}

/** Filters on the entries of a list, such as jobs or times at school: their names begin with that of the list. */
export function createEntryFilter(list: string) {
  return (name: string, type: FilterType, label: string, field = name): Filter[] =>
    singleFilter(`${list}_${name}`, type, label, [`${list}.${field}`], list);
}
/** One end of a period of a list: since when, or until when. */
export function periodFilter(list: string, name: 'date_from' | 'date_to', label: string): Filter[] {
  const bound = name === 'date_from' ? 'gte' : 'lte';
  return [{ name: `${list}_${name}`, type: 'month', bound, label, fields: [`${list}.${name}`], path: list }];
}

/**
 * The filters of a family. A bundle that does not use them carries none: hence the function.
 */
export function defineFilters(make: () => readonly Filter[]): readonly Filter[] {
  return make();
}
