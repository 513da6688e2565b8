// Formulas of one function in a column: state, age, price and actions.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { maxLookupKeys } from '../../../shared/limits.ts';
import type { FormulaEntry, Payload } from '../../server/api/index.ts';
import { describeNotKeys } from '../../texts/not-keys.ts';
import { formatCount, formatNumber, type Text, t, translate } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { PricedAction } from '../dock.tsx';
import {
  addKnownPrice,
  formatCredits,
  formatList,
  formatPlace,
  formatTimeSince,
  getFamilyLabel,
} from '../format.ts';
import { useScriptAction, useScriptValue } from '../hooks.ts';
import { ErrorNotice, Hint, Row } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Link } from '../parts/controls.tsx';
import { getFailureLabel } from '../run-view.tsx';

const RESULTS: Readonly<Partial<Record<string, Text>>> = {
  CDAPI_SEARCH: 'IDs of a search',
  CDAPI_PREVIEW: 'Rows of a search',
  CDAPI_MATCH: 'Companies by name',
  CDAPI_PEOPLE: 'People at companies',
  CDAPI_JOBS: 'Jobs at companies',
  CDAPI_PEOPLE_COUNT: 'Number of people at companies',
  CDAPI_JOBS_COUNT: 'Number of jobs at companies',
  CDAPI_COUNT: 'Number of matches',
  CDAPI_COST: 'Price of a lookup',
  CDAPI_CREDITS: 'Credits left',
  CDAPI_FIELDS: 'Names of fields',
  CDAPI_STATUS: 'Connection',
};

/** Describes what formulas fill: `Name and Industry`. */
const describeFilled = ({ name, fills }: FormulaEntry): string =>
  fills.length === 0 ? translate(RESULTS[name] ?? 'Records') : formatList(fills.map(translate));

function describeState(
  { name, formulas, loading, pending, errors, lookup, family }: FormulaEntry,
  spending: boolean,
): string {
  // A lookup counts its records without a match in the next line.
  const { '#NOT_FOUND': notFound = 0, ...others } = errors;
  const shown = lookup === undefined ? errors : others;
  const describeWord = (word: string): string => {
    // Without spending, formulas have no budget.
    if (word === '#BUDGET' && !spending) return t('not bought: spending is off');
    return getFailureLabel(word) ?? (word.startsWith('#') ? t('with {word}', { word }) : translate(word));
  };
  const states = Object.entries({ loading, 'waiting for rows': pending, ...shown })
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${formatNumber(count)} ${describeWord(word)}`);
  const dataSet = family === undefined ? [] : [getFamilyLabel(family)];
  return [name, ...dataSet, formatCount(formulas, 'formula'), ...states].join(' · ');
}

/** Describes found and missing records: `12 records found · 1 not found · 5 to buy · 1 name · oldest 12 days ago`. */
function describeLookup(
  { found, notFound, toBuy, notKeys = {}, oldest }: NonNullable<FormulaEntry['lookup']>,
  { loading }: FormulaEntry,
): string {
  return [
    // While formulas are loading, nothing is known yet.
    ...(found > 0 || loading === 0 ? [t('{records} found', { records: formatCount(found, 'record') })] : []),
    ...(notFound > 0 ? [t('{notFound} not found', { notFound })] : []),
    ...(toBuy > 0 ? [t('{toBuy} to buy', { toBuy })] : []),
    ...[describeNotKeys(notKeys)].filter(Boolean),
    ...(oldest === undefined ? [] : [t('oldest bought {time}', { time: formatTimeSince(oldest) })]),
  ].join(' · ');
}

/** Tells whether a formula reads so many cells that Google may end it with an internal error. */
const isLarge = ({ lookup, formulas }: FormulaEntry): boolean =>
  lookup !== undefined && lookup.found + lookup.notFound + lookup.toBuy > maxLookupKeys * formulas;

type FormulaPlace = Payload<'showFormulas'>;

interface PlaceProps {
  place: FormulaPlace;
  onDone: () => void;
}

function formatRerunPrice(formulas: number, credits: number | null): string {
  if (formulas === 0) return t('None has failed any more.');
  if (credits === null) return t('Price not known');
  return credits === 0
    ? t('Free: nothing is bought')
    : t('Costs up to {credits}', { credits: formatCredits(credits) });
}

function describeRerun(formulas: number, credits: number | null): string {
  const what = formatCount(formulas, 'formula');
  if (credits === 0) return t('{what} ran, for free.', { what });
  return credits === null
    ? t('{what} ran. Activity shows the charge.', { what })
    : t('{what} ran, for up to {credits}. Activity shows the charge.', {
        what,
        credits: formatCredits(credits),
      });
}

/** Runs the failed formulas, or all, for the price that is shown. */
function Rerun(props: PlaceProps & { all: boolean; isConfirming: boolean }): JSX.Element {
  const { place, onDone } = props;
  const { runs } = useSidebar();
  const order = props.all ? { ...place, all: true } : place;
  const plan = useScriptValue('planRerun', order);
  const action = useScriptAction();
  const { formulas = 0, credits = 0, approval } = plan.value ?? {};
  const [isAsking, setIsAsking] = useState(false);
  const isPriced = credits !== null;
  // Another run would wait again.
  const isWithoutPrice = props.isConfirming && !isPriced;
  const what = formatCount(formulas, 'formula');
  const rerun = async (): Promise<void> => {
    if (approval === undefined) return;
    setIsAsking(false);
    await action.run('rerunFormulas', { ...order, approval }, (again) => {
      runs.report(describeRerun(again.formulas, credits));
      onDone();
    });
    plan.reload();
  };
  return (
    <div>
      {isAsking ? (
        <Confirm
          question={t(
            formulas === 1
              ? 'The price is not known before {what} runs: what your team hasn’t bought is bought, within your budget. Continue?'
              : 'The price is not known before {what} run: what your team hasn’t bought is bought, within your budget. Continue?',
            { what },
          )}
          yes={t('Run {what} at any price', { what })}
          busy={action.busy}
          onYes={() => void rerun()}
          onNo={() => setIsAsking(false)}
        />
      ) : (
        <PricedAction
          pricing={plan}
          price={plan.value && formatRerunPrice(formulas, credits)}
          note={
            !isPriced
              ? isWithoutPrice
                ? t('This formula waits for a price that can’t be read here. Set max_credits in it instead.')
                : t('Set max_credits in the formula to limit what it spends.')
              : props.isConfirming
                ? t('Later runs of this formula may cost as much.')
                : place.name === 'CDAPI_PREVIEW'
                  ? t('Pages that your team bought in the last day are free.')
                  : undefined
          }
          button={
            isPriced
              ? addKnownPrice(t('Run {what}', { what }), plan.value?.credits ?? undefined, t('up to '))
              : t('Run {what} · price not known', { what })
          }
          credits={credits ?? 0}
          ready={!plan.busy && formulas > 0 && runs.isFree && !isWithoutPrice}
          busy={action.busy}
          onClick={() => (isPriced ? void rerun() : setIsAsking(true))}
        />
      )}
      <ErrorNotice error={action.error} />
    </div>
  );
}

function Freeze({ place, onDone, entry }: PlaceProps & { entry: FormulaEntry }): JSX.Element {
  const { runs } = useSidebar();
  const action = useScriptAction();
  const freeze = (): void =>
    void action.run('freezeFormulas', place, ({ frozen, skipped, runId }) => {
      const result = { formulas: formatCount(frozen, 'formula'), skipped };
      const all = frozen === 1 ? '{formulas} became a value.' : '{formulas} became values.';
      const some =
        frozen === 1
          ? '{formulas} became a value, {skipped} stayed: they are loading or failed.'
          : '{formulas} became values, {skipped} stayed: they are loading or failed.';
      runs.report(t(skipped > 0 ? some : all, result), frozen > 0 ? runId : undefined);
      onDone();
    });
  return (
    <>
      <Confirm
        question={t(
          'Turn {formulas} into values? Values no longer change or cost credits. Undo brings the formulas back.',
          { formulas: formatCount(entry.formulas, 'formula') },
        )}
        yes={t('Freeze formulas')}
        busy={action.busy}
        onYes={freeze}
        onNo={onDone}
      />
      <ErrorNotice error={action.error} />
    </>
  );
}

/** `Run all again · free`; with dots if the price isn’t known before a click. */
function formatRerunAll({ credits, most }: FormulaEntry): string {
  const price = credits ?? most;
  return price === undefined
    ? t('Run all again …')
    : addKnownPrice(t('Run all again'), price, credits === null ? t('up to ') : '');
}

export function FormulaCard(props: {
  sheetId: number;
  sheet: string;
  entry: FormulaEntry;
  /** Whether the formulas may spend credits. */
  spending: boolean;
  onDone: () => void;
}): JSX.Element {
  const { sheetId, sheet, entry } = props;
  const { runs } = useSidebar();
  const { name, column, range, failed, errors, lookup, credits } = entry;
  const place = { sheetId, name, column };
  const title = describeFilled(entry);
  const where = formatPlace(sheet, range);
  const action = useScriptAction();
  // What waits for a click shows its price.
  const isConfirming = errors['#CONFIRM'] !== undefined;
  const isOffered = isConfirming || (props.spending && errors['#BUDGET'] !== undefined);
  const [chosen, setExpanded] = useState<string>();
  const expanded = chosen ?? (isOffered ? 'failed' : '');
  const section = {
    place,
    onDone: () => {
      setExpanded('');
      props.onDone();
    },
  };
  const order = { ...place, all: true };
  const runAllFree = (): void =>
    void action.run('planRerun', order, ({ credits, approval }) => {
      // The price has changed since it was shown.
      if (credits !== 0) return setExpanded('all');
      void action.run('rerunFormulas', { ...order, approval }, ({ formulas }) => {
        runs.report(describeRerun(formulas, 0));
        props.onDone();
      });
    });
  const sections = [
    ...(failed > 0
      ? [
          {
            kind: 'failed',
            label: isConfirming
              ? t('Run {failed} waiting', { failed })
              : t('Run {failed} failed again', { failed }),
          },
        ]
      : []),
    ...(isOffered && failed === entry.formulas ? [] : [{ kind: 'all', label: formatRerunAll(entry) }]),
    { kind: 'freeze', label: t('Freeze') },
  ];
  return (
    <article class="table" aria-label={`${title}, ${where}`}>
      <h3 class="breaks">{title}</h3>
      <p class="hint">
        <Link onClick={() => void action.run('showFormulas', place)} label={t('Go to {where}', { where })}>
          {where}
        </Link>
        <br />
        {describeState(entry, props.spending)}
        {lookup !== undefined && (
          <>
            <br />
            {describeLookup(lookup, entry)}
          </>
        )}
      </p>
      {isLarge(entry) && (
        <Hint>
          {t(
            'Google may end a formula of more than {max} cells with #ERROR!. Split the range, or use the tab Enrich.',
            { max: maxLookupKeys },
          )}
        </Hint>
      )}
      <Row>
        {sections.map(({ kind, label }) => {
          const isDirect = kind === 'all' && credits === 0;
          return (
            <Button
              key={kind}
              label={`${label}: ${title}, ${range}`}
              busy={isDirect && action.busy}
              {...(isDirect ? {} : { expanded: expanded === kind })}
              onClick={() => (isDirect ? runAllFree() : setExpanded(expanded === kind ? '' : kind))}
            >
              {label}
            </Button>
          );
        })}
      </Row>
      {(expanded === 'failed' || expanded === 'all') && (
        <Rerun key={expanded} {...section} all={expanded === 'all'} isConfirming={isConfirming} />
      )}
      {expanded === 'freeze' && <Freeze {...section} entry={entry} />}
      <ErrorNotice error={action.error} />
    </article>
  );
}
