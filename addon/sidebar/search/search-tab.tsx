// The search tab: whom to find, what that costs, where the rows go.

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import { previewFields } from '../../../shared/families/registry.ts';
import { getPreviewPrice, getSortFields } from '../../../shared/operations.ts';
import { getFormFields, getInitialFormFields } from '../../../shared/query/form-fields.ts';
import type { SearchPlan } from '../../server/api/index.ts';
import { Pane, PriceTag, Warnings } from '../dock.tsx';
import { counted, inCredits, ownUse, searchFamilies, subjectNouns, withPrice } from '../format.ts';
import { settled, TYPING_MS, useAnswer } from '../hooks.ts';
import { Fold, Notice } from '../parts/basics.tsx';
import { ColumnPicker } from '../parts/column-picker.tsx';
import { Button, Segments, Select } from '../parts/controls.tsx';
import { NO_COLUMN, NO_TABLE } from '../parts/destination.tsx';
import { FamilySelect } from '../parts/family-select.tsx';
import type { TabProps } from '../tab-props.ts';
import { Where } from './destination.tsx';
import {
  type Draft,
  draftOf,
  emptyDraft,
  formIsDsl,
  orderOf,
  readDraft,
  switchWay,
  withFamily,
} from './draft.ts';
import { ConditionForm } from './form.tsx';
import { AsFormula } from './insert-formula.tsx';
import { NothingMatches } from './no-matches.tsx';
import { DslText } from './query-editor.tsx';
import { OpenSaved, SaveSearch } from './saved-searches.tsx';

const WAYS = [
  { value: 'form', label: 'Form' },
  { value: 'dsl', label: 'Query' },
] as const;

const SORTS: Readonly<Record<string, string>> = {
  id: 'By ID',
  _score: 'Best match first',
  last_updated: 'Last updated first',
  followers: 'Most followers first',
  size_employees_count: 'Most employees first',
};

function sortOptions(family: Family): { value: string; label: string }[] {
  return [
    { value: '', label: 'Default order' },
    ...getSortFields(family, 'es_dsl')
      .filter((sort) => sort !== 'id')
      .map((sort) => ({ value: sort, label: SORTS[sort] ?? sort })),
  ];
}

function Asking(props: { draft: Draft; onChange: (draft: Draft) => void }): JSX.Element {
  const { draft, onChange } = props;
  const { family, ask, conditions, dsl, kept, sort } = draft;
  const fields = useMemo(() => getFormFields(family), [family]);
  const { problems, dslProblem } = readDraft(draft);
  return (
    <>
      {/* Named filters can't be shown as JSON of the query DSL. */}
      {(kept === undefined || 'es_dsl' in kept) && (
        <Segments
          label="Search mode"
          value={ask}
          options={WAYS}
          onChange={(way) => onChange(switchWay(draft, way))}
        />
      )}
      {kept !== undefined ? (
        <Notice>
          <p>This query is too complex for the form. It will run unchanged.</p>
          <Button kind="quiet" onClick={() => onChange({ ...draft, kept: undefined })}>
            Use the form instead
          </Button>
        </Notice>
      ) : ask === 'dsl' ? (
        <DslText text={dsl} problem={dslProblem} onInput={(text) => onChange({ ...draft, dsl: text })} />
      ) : (
        <>
          <ConditionForm
            key={family}
            family={family}
            fields={fields}
            conditions={conditions}
            fixed={getInitialFormFields(family)}
            problems={problems}
            onChange={(changed) => onChange({ ...draft, conditions: changed })}
          />
          {formIsDsl(family) && (
            <Select
              label="Sort order"
              value={sort}
              options={sortOptions(family)}
              onChange={(value) => onChange({ ...draft, sort: value })}
            />
          )}
        </>
      )}
    </>
  );
}

/** `1,240 companies match`. */
function matchesText(family: Family, total: number): string {
  const [one, many] = subjectNouns(family);
  return `${counted(total, one, many)} ${total === 1 ? 'matches' : 'match'}`;
}

/** What stands beside the button. */
function priceOf(family: Family, { total, rows, credits }: SearchPlan): string {
  if (total === 0) return 'Nothing matches. Remove a condition or try other words.';
  const [is, costs] = rows === 1 ? ['is', 'costs'] : ['are', 'cost'];
  const cost = credits === 0 ? `${is} free` : `${costs} ${inCredits(credits)}`;
  return `${matchesText(family, total)} · ${counted(rows, 'row')} ${cost}`;
}

/** The search tab. */
export function SearchTab({ status, runs, shown, onTables, ...props }: TabProps): JSX.Element {
  const allowed = status.connection?.scopes.families ?? null;
  const families = searchFamilies.filter((family) => allowed === null || allowed.includes(family));
  const { draft = emptyDraft(families[0] ?? 'company_base'), onDraft: setDraft } = props;
  const [saved, setSaved] = useState('');
  const searches = useAnswer('savedSearches', {});
  const order = orderOf(draft);
  const { query } = readDraft(draft);
  // A plan counts as well; where there is nothing to plan yet, the query alone is counted.
  const plan = useAnswer('planSearch', shown && runs.free ? order : undefined, TYPING_MS);
  const counting = useAnswer(
    'count',
    order === undefined && query !== undefined ? { family: draft.family, query } : undefined,
    TYPING_MS,
  );
  const asked = order === undefined ? counting : plan;
  const known = settled<object>(asked);
  const seen = order === undefined ? undefined : plan.value;
  const spends = status.sheetSpending;
  const price = !spends
    ? 'Spending is off. Turn it on in Activity.'
    : query === undefined
      ? 'Fix the query first.'
      : known &&
        (seen === undefined
          ? counting.value && matchesText(draft.family, counting.value.total)
          : priceOf(draft.family, seen));
  const rows = known === undefined ? undefined : seen?.rows;
  const missing = draft.columns.length === 0 ? NO_COLUMN : NO_TABLE;
  return (
    <Pane
      runs={runs}
      extra={
        runs.progress?.kind === 'search' &&
        draft.columns.includes('id') && (
          <Button onClick={() => onTables(runs.progress?.tableId ?? '')}>Add full records</Button>
        )
      }
      foot={
        <PriceTag
          asked={asked}
          price={price}
          note={
            order === undefined
              ? query && missing
              : rows
                ? `Records your team already bought are free. ${ownUse}`
                : undefined
          }
          button={
            rows === undefined || rows === 0
              ? 'Write rows'
              : withPrice(`Write ${counted(rows, 'row')}`, seen?.credits ?? 0)
          }
          credits={seen?.credits}
          ready={order !== undefined && rows !== undefined && rows > 0 && spends}
          busy={runs.busy}
          onClick={() => {
            if (order === undefined || seen === undefined) return;
            const { approval, willOverwrite } = seen;
            runs.start('startSearch', { ...order, approval }, willOverwrite);
          }}
        />
      }
    >
      <OpenSaved
        searches={searches}
        chosen={saved}
        onOpen={(search) => {
          setSaved(search?.id ?? '');
          setDraft(search === undefined ? emptyDraft(draft.family) : draftOf(search, draft));
        }}
      />
      <FamilySelect
        label="Find"
        value={draft.family}
        families={families}
        onChange={(family) => setDraft(withFamily(draft, family))}
      />
      <Asking draft={draft} onChange={setDraft} />
      {known !== undefined && (
        <NothingMatches family={draft.family} without={(seen ?? counting.value)?.without ?? []} />
      )}
      <Fold title="Columns" aside={String(draft.columns.length)}>
        <ColumnPicker
          label="Columns, in order"
          columns={previewFields[draft.family]}
          chosen={draft.columns}
          onChange={(columns) => setDraft({ ...draft, columns })}
        />
      </Fold>
      <Where draft={draft} onChange={setDraft} />
      <Fold title="Save this search">
        <SaveSearch draft={draft} onSaved={searches.put} />
      </Fold>
      <Fold title="Use as a formula" aside={`${inCredits(getPreviewPrice(draft.family))} a page`}>
        <AsFormula draft={draft} />
      </Fold>
      <Warnings of={known && seen} />
    </Pane>
  );
}
