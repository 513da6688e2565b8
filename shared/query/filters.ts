// Named filters: their types, and builders for the filter lists of the family files.

/**
 * Value type of a filter. `text`: words with AND, OR, groups, "phrases" and trailing *. `exact`: a whole value. `host`:
 * a website, compared by host. `flag`: true, false, 1 or 0. `datetime`: `YYYY-MM-DD HH:MM:SS`. `date`: `YYYY-MM-DD`.
 * `month`: a date without its day, or without its day and month.
 */
export type FilterType = 'text' | 'exact' | 'host' | 'integer' | 'flag' | 'datetime' | 'date' | 'month';

export interface Filter {
  name: string;
  type: FilterType;
  /** Index fields. A record matches if one of them matches. */
  fields: readonly string[];
  /** Path of the nested objects that hold the fields. Filters with the same path must match the same object. */
  path?: string;
  /** Inclusive bound of a range. Absent for filters on a value. */
  bound?: 'gte' | 'lte';
  label: string;
}

/** Creates a filter. By default it searches the field of the same name. */
export function singleFilter(
  name: string,
  type: FilterType,
  label: string,
  fields: readonly string[] = [name],
  path?: string,
): Filter[] {
  return [{ name, type, label, fields, ...(path === undefined ? {} : { path }) }];
}

/** Creates a text filter on one or several fields. */
export function textFilter(
  name: string,
  label: string,
  fields: string | readonly string[] = name,
  path?: string,
): Filter[] {
  return singleFilter(name, 'text', label, typeof fields === 'string' ? [fields] : fields, path);
}

/** Creates the two filters `<name>_gte` and `<name>_lte`. */
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

/** Returns a builder of filters on the entries of a list, such as jobs. Their names start with the list's name. */
export function createEntryFilter(list: string) {
  return (name: string, type: FilterType, label: string, field = name): Filter[] =>
    singleFilter(`${list}_${name}`, type, label, [`${list}.${field}`], list);
}

/** Creates a filter on the start or end date of a list's entries. */
export function periodFilter(list: string, name: 'date_from' | 'date_to', label: string): Filter[] {
  const bound = name === 'date_from' ? 'gte' : 'lte';
  return [{ name: `${list}_${name}`, type: 'month', bound, label, fields: [`${list}.${name}`], path: list }];
}

/** Defines the filters of a family. The function lets bundlers drop an unused list. */
export function defineFilters(make: () => readonly Filter[]): readonly Filter[] {
  return make();
}
