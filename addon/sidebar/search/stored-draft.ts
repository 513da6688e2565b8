// Keeps the search when the sidebar is closed: one for each person and spreadsheet.
import { type Dispatch, type StateUpdater, useEffect, useRef, useState } from 'preact/hooks';
import { isFamily } from '../../../shared/families/index.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { maxDraftLength } from '../../../shared/limits.ts';
import type { FormCondition } from '../../../shared/query/form-query.ts';
import type { Status } from '../../server/api/index.ts';
import { callScript } from '../script.ts';
import { createDraft, getEnteredConditions, parseDraft, type SearchDraft } from './draft.ts';
import { fromSavedSearch, type StoredSearch } from './query-form.ts';

const DELAY_MS = 1500;

function formatDraft(draft: SearchDraft): string | undefined {
  const { query } = parseDraft(draft);
  const { title, family, columns, pages, accounts, savedId } = draft;
  const conditions = getEnteredConditions(draft);
  return (
    query &&
    JSON.stringify({ name: title, family, columns, query, conditions, pages, accounts, saved: savedId })
  );
}

const isCondition = (value: unknown): value is FormCondition =>
  isObject(value) &&
  typeof value.name === 'string' &&
  Array.isArray(value.values) &&
  value.values.every((each) => typeof each === 'string');

type StoredDraft = StoredSearch & Pick<SearchDraft, 'pages' | 'accounts'> & { saved: string };

function isStored(value: unknown): value is StoredDraft {
  if (!isObject(value) || !isObject(value.query) || !Array.isArray(value.columns)) return false;
  const { conditions = [] } = value;
  if (!Array.isArray(conditions) || !conditions.every(isCondition)) return false;
  const { family, pages, saved } = value;
  return (
    typeof family === 'string' && isFamily(family) && typeof pages === 'number' && typeof saved === 'string'
  );
}

function restoreDraft(text: string | undefined): SearchDraft | undefined {
  const stored: unknown = text && JSON.parse(text);
  if (!isStored(stored)) return undefined;
  const { pages, accounts, saved: savedId } = stored;
  return { ...fromSavedSearch(stored, createDraft(stored.family)), pages, accounts, savedId };
}

export interface DraftProps {
  /** Undefined until it is changed. */
  draft: SearchDraft | undefined;
  onDraft: Dispatch<StateUpdater<SearchDraft | undefined>>;
}

/** Holds the input of the search tab, at first the search that was stored last. */
export function useStoredDraft({ lastSearch }: Status): DraftProps {
  const [draft, onDraft] = useState(() => restoreDraft(lastSearch));
  const last = useRef(lastSearch);
  const text = draft && formatDraft(draft);
  useEffect(() => {
    if (text === undefined || text === last.current || text.length > maxDraftLength) return;
    const timer = setTimeout(() => {
      last.current = text;
      // A failure only affects the next opening.
      void callScript('saveDraft', { lastSearch: text });
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { draft, onDraft };
}
