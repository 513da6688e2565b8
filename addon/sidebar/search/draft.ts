// What a person has filled into the search tab, and the order that comes of it.

import type { Query } from '../../../shared/api/query.ts';
import type { SavedSearch } from '../../../shared/api/saved-searches.ts';
import type { Family } from '../../../shared/families/index.ts';
import { previewFields } from '../../../shared/families/registry.ts';
import { getFormFields, getInitialFormFields } from '../../../shared/query/form-fields.ts';
import {
  buildFormQuery,
  dslToConditions,
  type FormCondition,
  filtersToConditions,
} from '../../../shared/query/form-query.ts';
import type { Provenance, SearchOrder } from '../../server/api/index.ts';
import { familyLabel } from '../format.ts';
import { type Place, somewhere, targetOf } from '../parts/destination.tsx';
import { checkDsl } from './parse-query.ts';

/** The tab as it is filled. */
export interface Draft extends Place {
  family: Family;
  /** Form, or DSL as text. */
  ask: 'form' | 'dsl';
  conditions: FormCondition[];
  dsl: string;
  /** The form beside which `dsl` was written: while the form says the same, the text is kept. */
  dslForm: string;
  /** A query that is too complex for the form: it runs unchanged. */
  kept: Query | undefined;
  /** '' for the usual order. */
  sort: string;
  columns: string[];
  pages: number;
  provenance: Provenance;
  /** What the person calls it; '' for a name made of the conditions. */
  title: string;
}

/** What can be read out of a draft. */
export interface ReadDraft {
  query: Query | undefined;
  problems: { name: string; message: string }[];
  /** What is wrong with the DSL's text. */
  dslProblem: string | undefined;
}

const DSL_EXAMPLE = `{
  "match": { "industry": "software" }
}`;
const MAX_TITLE = 60;

/** Scores and logos are seldom what someone wants in a sheet. */
const SELDOM = new Set(['_score', 'logo']);

/** The columns that are chosen before anybody chooses. */
export function firstColumns(family: Family): string[] {
  return previewFields[family].filter((name) => !SELDOM.has(name)).slice(0, 8);
}

/** An empty draft. */
export function emptyDraft(family: Family): Draft {
  return {
    family,
    ask: 'form',
    conditions: getInitialFormFields(family).map((name) => ({ name, values: [] })),
    dsl: DSL_EXAMPLE,
    dslForm: '',
    kept: undefined,
    sort: '',
    columns: firstColumns(family),
    pages: 1,
    ...somewhere,
    provenance: 'none',
    title: '',
  };
}

/** Another family has other fields; where the rows go stays. */
export function withFamily(draft: Draft, family: Family): Draft {
  const { conditions, columns, sort } = emptyDraft(family);
  return { ...draft, family, conditions, columns, sort, kept: undefined, tableId: '' };
}

function sorted(query: Query, sort: string): Query {
  return 'es_dsl' in query && sort !== '' ? { es_dsl: { ...query.es_dsl, sort: [sort] } } : query;
}

/** Reads a draft's query. */
export function readDraft({ family, ask, conditions, dsl, kept, sort }: Draft): ReadDraft {
  if (kept !== undefined) return { query: kept, problems: [], dslProblem: undefined };
  if (ask === 'dsl') {
    const checked = checkDsl(dsl);
    return checked.ok
      ? { query: checked.query, problems: [], dslProblem: undefined }
      : { query: undefined, problems: [], dslProblem: checked.sentence };
  }
  const made = buildFormQuery(family, conditions);
  return made.ok
    ? { query: sorted(made.query, sort), problems: [], dslProblem: undefined }
    : { query: undefined, problems: made.problems, dslProblem: undefined };
}

/** The form's query as DSL text, to go on from; the example where the form makes none. */
function dslOf(draft: Draft): string {
  const { query } = readDraft({ ...draft, ask: 'form', kept: undefined });
  return query !== undefined && 'es_dsl' in query ? JSON.stringify(query.es_dsl, null, 2) : DSL_EXAMPLE;
}

/** Tells whether two forms say the same. */
const formPrint = ({ family, conditions, sort }: Draft): string => JSON.stringify([family, conditions, sort]);

/** Shows the form's query as text; a text that was written before stays while the form says the same. */
function asText(draft: Draft): Draft {
  const dslForm = formPrint(draft);
  const dsl = dslForm === draft.dslForm ? draft.dsl : dslOf(draft);
  return { ...draft, ask: 'dsl', kept: undefined, dsl, dslForm };
}

/** Shows the text's query as a form; one that is too complex for the form is kept, and so is a text that can't be read. */
function fromText(draft: Draft): Draft {
  const before: Draft = { ...draft, ask: 'form', kept: undefined, dslForm: formPrint(draft) };
  const checked = checkDsl(draft.dsl);
  if (draft.dsl === dslOf(draft) || !checked.ok) return before;
  const form = formOf(draft, checked.query);
  if (form === undefined) return { ...before, kept: checked.query };
  return { ...form, ask: 'form', kept: undefined, dslForm: formPrint(form) };
}

/** Shows a draft as a form or as text, so that nothing is lost that a person typed. */
export function switchWay(draft: Draft, way: Draft['ask']): Draft {
  if (way === draft.ask) return draft;
  return way === 'dsl' ? asText(draft) : fromText(draft);
}

/** A name made of what is searched. */
export function titleOf({ family, ask, kept, conditions, title }: Draft): string {
  if (title.trim() !== '') return title.trim();
  const [subject = ''] = familyLabel(family).split(',');
  const values =
    ask === 'dsl' || kept !== undefined
      ? []
      : conditions.flatMap(({ values }) => values.filter((value) => value.trim() !== ''));
  return (values.length === 0 ? subject : `${subject}: ${values.join(', ')}`).slice(0, MAX_TITLE);
}

/**
 * Makes the order.
 * @returns undefined while something is missing or wrong
 */
export function orderOf(draft: Draft): SearchOrder | undefined {
  const { query } = readDraft(draft);
  const { family, columns, pages, provenance } = draft;
  const target = targetOf(draft);
  if (query === undefined || columns.length === 0 || target === undefined) return undefined;
  return {
    family,
    query,
    columns,
    pages,
    ...target,
    ...(provenance === 'none' ? {} : { provenance }),
    title: titleOf(draft),
  };
}

/** The draft of a saved search: as a form where the form can say it, as DSL otherwise. */
export function draftOf(saved: SavedSearch, before: Draft): Draft {
  const { family, query, columns, name } = saved;
  const empty = emptyDraft(family);
  const draft = {
    ...empty,
    where: before.where,
    mode: before.mode,
    pages: before.pages,
    provenance: before.provenance,
    title: name,
    columns: columns === undefined || columns.length === 0 ? empty.columns : columns,
  };
  if ('filters' in query) {
    const conditions = filtersToConditions(family, query.filters);
    return conditions === undefined ? { ...draft, kept: query } : asForm(draft, conditions, '');
  }
  const body = 'text' in query ? { query: { query_string: { query: query.text } } } : query.es_dsl;
  const takesAny = query.any_fields === true ? { any_fields: true } : {};
  return (
    formOf(draft, { es_dsl: body, ...takesAny }) ?? {
      ...draft,
      ask: 'dsl',
      dsl: JSON.stringify({ ...body, ...takesAny }, null, 2),
      dslForm: formPrint(draft),
    }
  );
}

/** The draft with a form that says what a query says; undefined where no form can. */
function formOf(draft: Draft, query: Extract<Query, { es_dsl: unknown }>): Draft | undefined {
  const body = query.es_dsl;
  const [sort] = Array.isArray(body.sort) ? body.sort : [];
  const empty = {
    ...draft,
    ask: 'form' as const,
    kept: undefined,
    conditions: emptyDraft(draft.family).conditions,
  };
  const conditions = dslToConditions(draft.family, body.query);
  const form = asForm(empty, conditions, typeof sort === 'string' ? sort : '');
  const same = JSON.stringify(readDraft(form).query) === JSON.stringify(query);
  return same ? form : undefined;
}

/** A draft whose form says these conditions, and offers the usual ones beside them. */
function asForm(draft: Draft, conditions: readonly FormCondition[], sort: string): Draft {
  const open = draft.conditions.filter(({ name }) => !conditions.some((one) => one.name === name));
  return { ...draft, conditions: [...conditions, ...open], sort };
}

/** Whether the form of a family compiles to the DSL, which has an order of its own. */
export function formIsDsl(family: Family): boolean {
  return getFormFields(family).some(({ target }) => target !== undefined);
}
