// Searches people or open jobs at the companies of a column instead of everywhere.
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { isMatchFamily } from '../../../shared/matching/families.ts';
import type { CandidateColumn, SearchPlan } from '../../server/api/index.ts';
import { formatCount, t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { ColumnChoice, getColumnKey, NoColumns } from '../enrich/columns.tsx';
import { CountLimit } from '../enrich/count-limit.tsx';
import { formatCompanyLimit, formatCredits, formatRowPrice, getRecordNouns } from '../format.ts';
import { useReloadWhenShown, useScriptValue } from '../hooks.ts';
import { Loading } from '../parts/basics.tsx';
import { RadioGroup } from '../parts/controls.tsx';
import { getEnteredConditions, type SearchDraft, setAtCompanies, supportsCompanies } from './draft.ts';
import { getConditionLabel } from './no-matches.tsx';

type CompanyColumns = ReturnType<typeof useCompanyColumns>;

const hasCompanies = ({ kind, families: [family] }: CandidateColumn): boolean =>
  kind === 'website' || kind === 'name' || (kind === 'id' && family !== undefined && isMatchFamily(family));

export function useCompanyColumns({ accounts }: SearchDraft) {
  const { shown, runs } = useSidebar();
  const loading = useScriptValue('columns', accounts && {});
  useReloadWhenShown(shown && accounts !== undefined, runs.state.ends, loading.reload);
  const all = accounts === undefined ? [] : (loading.value ?? []).filter(hasCompanies);
  // The choice stays while other records are searched, or everywhere.
  const last = useRef('');
  last.current = accounts?.column || last.current;
  const chosen = all.find((each) => getColumnKey(each) === last.current) ?? all[0];
  return { loading, all, chosen };
}

/** Makes the shown column the chosen one. */
export function keepCompanyColumn(draft: SearchDraft, { chosen }: CompanyColumns): SearchDraft {
  if (draft.accounts === undefined || chosen === undefined) return draft;
  return { ...draft, accounts: { ...draft.accounts, column: getColumnKey(chosen) } };
}

/** The choice between all records and those at companies; null for other families. */
export function CompanyChoice(props: {
  draft: SearchDraft;
  columns: CompanyColumns;
  onChange: (draft: SearchDraft) => void;
}): JSX.Element | null {
  const { draft, columns, onChange } = props;
  const { accounts } = draft;
  const { loading, all, chosen } = columns;
  if (!supportsCompanies(draft.family)) return null;
  return (
    <>
      <RadioGroup
        label={t('Where')}
        value={accounts === undefined ? 'everywhere' : 'companies'}
        options={[
          { value: 'everywhere', label: t('Everywhere') },
          { value: 'companies', label: t('At companies in a column') },
        ]}
        onChange={(where) => onChange(setAtCompanies(draft, where === 'companies'))}
      />
      {accounts !== undefined && (
        <>
          <Loading of={loading} label={t('Looking for columns')} />
          {chosen === undefined ? (
            loading.value !== undefined && (
              <NoColumns
                what={t('Put websites, company IDs or company names into a column.')}
                onRetry={loading.reload}
              />
            )
          ) : (
            <>
              <ColumnChoice
                label={t('Companies')}
                columns={all}
                chosen={getColumnKey(chosen)}
                onChange={(column) =>
                  onChange({ ...draft, accounts: { ...accounts, column: getColumnKey(column) } })
                }
                onRetry={loading.reload}
              />
              <CountLimit
                column={chosen}
                value={accounts.atLeast}
                onChange={(atLeast) => onChange({ ...draft, accounts: { ...accounts, atLeast } })}
              />
              <RadioGroup
                label={t('What to write')}
                value={accounts.countsOnly === true ? 'count' : 'rows'}
                options={[
                  { value: 'rows', label: t('Rows'), hint: t('One for each match, with a price.') },
                  { value: 'count', label: t('Only the number'), hint: t('Beside each company, free.') },
                ]}
                onChange={(what) =>
                  onChange({ ...draft, accounts: { ...accounts, countsOnly: what === 'count' } })
                }
              />
            </>
          )}
        </>
      )}
    </>
  );
}

/** `143 employees at 12 of 20 companies · 60 rows cost 30 credits (at most 5 for each company)`. */
export function formatCompaniesPrice(
  draft: SearchDraft,
  { total, rows, credits, isMaximum }: SearchPlan,
  { all, found }: NonNullable<SearchPlan['companies']>,
): string {
  const { family, accounts } = draft;
  const companies = formatCount(all, 'company', 'companies');
  if (isMaximum)
    return t('{companies} · up to {rows}, up to {credits}', {
      companies,
      rows: formatCount(rows, 'row'),
      credits: formatCredits(credits),
    });
  if (total === 0) {
    const entered = getEnteredConditions(draft)?.map(({ name }) => getConditionLabel(family, name));
    return entered?.[0]
      ? t('Nothing matches at the {companies}. Remove a condition ({conditions}) or try other words.', {
          companies,
          conditions: entered.join(', '),
        })
      : t('Nothing matches at the {companies}. Remove a condition or try other words.', { companies });
  }
  const matches = t('{count} at {found} of {companies}', {
    count: formatCount(total, ...getRecordNouns(family)),
    found,
    companies,
  });
  const limit = accounts && rows < total ? ` (${formatCompanyLimit(accounts.perCompany)})` : '';
  return `${matches} · ${formatRowPrice(rows, credits)}${limit}`;
}
