// Formulas of one function in a column: state, age, price and actions.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { describeNotKeys } from '../../../shared/keys/not-keys.ts';
import { formatCount, formatNumber, plural } from '../../../shared/lib/format-count.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import type { FormulaEntry, Payload } from '../../server/api/index.ts';
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
import { FAILURE_LABELS } from '../run-view.tsx';

const RESULTS: Readonly<Partial<Record<string, string>>> = {
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
  fills.length === 0 ? (RESULTS[name] ?? 'Records') : formatList(fills);

function describeState(
  { name, formulas, loading, pending, errors, lookup, family }: FormulaEntry,
  spending: boolean,
): string {
  // A lookup counts its records without a match in the next line.
  const { '#NOT_FOUND': notFound = 0, ...others } = errors;
  const shown = lookup === undefined ? errors : others;
  // Without spending, formulas have no budget.
  const labels = spending ? FAILURE_LABELS : { ...FAILURE_LABELS, '#BUDGET': 'not bought: spending is off' };
  const states = Object.entries({ loading, 'waiting for rows': pending, ...shown })
    .filter(([, count]) => count > 0)
    .map(
      ([word, count]) =>
        `${formatNumber(count)} ${labels[word] ?? (word.startsWith('#') ? `with ${word}` : word)}`,
    );
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
    ...(found > 0 || loading === 0 ? [`${formatCount(found, 'record')} found`] : []),
    ...(notFound > 0 ? [`${formatNumber(notFound)} not found`] : []),
    ...(toBuy > 0 ? [`${formatNumber(toBuy)} to buy`] : []),
    ...[describeNotKeys(notKeys)].filter(Boolean),
    ...(oldest === undefined ? [] : [`oldest bought ${formatTimeSince(oldest)}`]),
  ].join(' · ');
}

/** Tells whether a formula reads so many cells that Google may end it with an internal error. */
const isLarge = ({ lookup, formulas }: FormulaEntry): boolean =>
  lookup !== undefined && lookup.found + lookup.notFound + lookup.toBuy > maxLookupKeys * formulas;

const TOO_LARGE = `Google may end a formula of more than ${formatNumber(maxLookupKeys)} cells with #ERROR!. Split the range, or use the tab Enrich.`;

type FormulaPlace = Payload<'showFormulas'>;

interface PlaceProps {
  place: FormulaPlace;
  onDone: () => void;
}

function formatRerunPrice(formulas: number, credits: number | null): string {
  if (formulas === 0) return 'None has failed any more.';
  if (credits === null) return 'Price not known';
  return credits === 0 ? 'Free: nothing is bought' : `Costs up to ${formatCredits(credits)}`;
}

function describeRerun(formulas: number, credits: number | null): string {
  const price = credits === null ? '' : `, for up to ${formatCredits(credits)}`;
  const cost = credits === 0 ? ', for free.' : `${price}. Activity shows the charge.`;
  return `${formatCount(formulas, 'formula')} ran again${cost}`;
}

/** Runs the failed formulas again, or all, for the price that is shown. */
function Rerun(props: PlaceProps & { all: boolean; isConfirming: boolean }): JSX.Element {
  const { place, onDone } = props;
  const { runs } = useSidebar();
  const order = props.all ? { ...place, all: true } : place;
  const plan = useScriptValue('planRerun', order);
  const action = useScriptAction();
  const { formulas = 0, credits = 0, approval } = plan.value ?? {};
  const [isAsking, setIsAsking] = useState(false);
  const isPriced = credits !== null;
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
          question={`The price is not known before ${what} ${plural(formulas, 'runs', 'run')}: what your team hasn’t bought is bought, within your budget. Continue?`}
          yes={`Run ${what} at any price`}
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
              ? 'Set max_credits in the formula to limit what it spends.'
              : props.isConfirming
                ? 'Later runs of this formula may cost as much.'
                : place.name === 'CDAPI_PREVIEW'
                  ? 'Pages that your team bought in the last day are free.'
                  : undefined
          }
          button={
            isPriced
              ? addKnownPrice(`Run ${what} again`, plan.value?.credits ?? undefined, 'up to ')
              : `Run ${what} again · price not known`
          }
          credits={credits ?? 0}
          ready={!plan.busy && formulas > 0 && runs.isFree}
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
      const stayed = skipped > 0 ? `, ${formatNumber(skipped)} stayed: they are loading or failed` : '';
      runs.report(
        `${formatCount(frozen, 'formula')} became ${plural(frozen, 'a value', 'values')}${stayed}.`,
        frozen > 0 ? runId : undefined,
      );
      onDone();
    });
  return (
    <>
      <Confirm
        question={`Turn ${formatCount(entry.formulas, 'formula')} into values? Values no longer change or cost credits. Undo brings the formulas back.`}
        yes="Freeze formulas"
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
    ? 'Run all again …'
    : addKnownPrice('Run all again', price, credits === null ? 'up to ' : '');
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
  const [expanded, setExpanded] = useState(isOffered ? 'failed' : '');
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
            label: `Run ${formatNumber(failed)} ${isConfirming ? 'waiting' : 'failed again'}`,
          },
        ]
      : []),
    ...(isOffered && failed === entry.formulas ? [] : [{ kind: 'all', label: formatRerunAll(entry) }]),
    { kind: 'freeze', label: 'Freeze' },
  ];
  return (
    <article class="table" aria-label={`${title}, ${where}`}>
      <h3 class="breaks">{title}</h3>
      <p class="hint">
        <Link onClick={() => void action.run('showFormulas', place)} label={`Go to ${where}`}>
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
      {isLarge(entry) && <Hint>{TOO_LARGE}</Hint>}
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
