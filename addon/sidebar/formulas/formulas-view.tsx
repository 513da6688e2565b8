// The formulas of the spreadsheet by sheet: spending, merging, and a card for each function and column.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { prices } from '../../../shared/families/registry.ts';
import type { FormulaList, FormulaSheet } from '../../server/api/index.ts';
import { formatCount, t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { describeSpendingOff, formatCredits, formatTimeSince } from '../format.ts';
import {
  useReloadAfterRuns,
  useReloadWhile,
  useReloadWithSheet,
  useScriptAction,
  useScriptValue,
  useStableOrder,
} from '../hooks.ts';
import { MergeView } from '../merge-offer.tsx';
import { Empty, ErrorNotice, Hint, Loading, Notice, Row, Section, ShowMore } from '../parts/basics.tsx';
import { Button, Checkbox } from '../parts/controls.tsx';
import { FormulaCard } from './entry.tsx';

const SHOWN_ENTRIES = 10;

/** Tells whether formulas failed. Keys without a record are no failure. */
const hasErrors = ({ entries }: FormulaSheet): boolean =>
  entries.some(
    ({ failed, errors }) =>
      failed > 0 || Object.keys(errors).some((word) => !/^#(?:NOT_F|INVALID_K|AMBIG)/.test(word)),
  );

const isLoading = ({ entries }: FormulaSheet): boolean => entries.some(({ loading }) => loading > 0);

function Merge({ sheetId, onDone }: { sheetId: number; onDone: () => void }): JSX.Element {
  const plan = useScriptValue('planMerge', { sheetId });
  const action = useScriptAction();
  const offer = plan.value?.offer;
  return (
    <>
      <Loading of={plan} label={t('Looking for formulas to merge')} lines={2} />
      {offer === null && (
        <Hint>{t('Nothing to merge: formulas must stand below each other and differ only in the row.')}</Hint>
      )}
      {offer && <MergeView offer={offer} plan={plan} action={action} onDone={onDone} />}
    </>
  );
}

function SheetFormulas(props: {
  of: FormulaSheet;
  onList: (list: FormulaList) => void;
  onDone: () => void;
}): JSX.Element {
  const { onDone } = props;
  const { sheetSpending } = useSidebar().status;
  const { sheetId, sheet, spending, single, entries } = props.of;
  const action = useScriptAction();
  const [isMerging, setIsMerging] = useState(false);
  const [limit, setLimit] = useState(SHOWN_ENTRIES);
  const finish = (): void => {
    setIsMerging(false);
    onDone();
  };
  return (
    <Section title={sheet}>
      {sheetSpending && (
        <Checkbox
          label={t('Formulas here spend credits')}
          checked={spending}
          onChange={(on) => void action.run('setFormulaSpending', { sheetId, on }, props.onList)}
        />
      )}
      <ErrorNotice error={action.error} />
      {entries.slice(0, limit).map((entry) => (
        <FormulaCard
          key={`${entry.name} ${entry.column}`}
          sheetId={sheetId}
          sheet={sheet}
          entry={entry}
          spending={spending && sheetSpending}
          onDone={onDone}
        />
      ))}
      <ShowMore left={Math.max(0, entries.length - limit)} onClick={() => setLimit(limit + 50)} />
      {single > 1 && (
        <Row>
          <Button
            label={t('Merge formulas of {sheet}', { sheet })}
            expanded={isMerging}
            onClick={() => setIsMerging(!isMerging)}
          >
            {t('Merge formulas')}
          </Button>
        </Row>
      )}
      {isMerging && <Merge sheetId={sheetId} onDone={finish} />}
    </Section>
  );
}

export function FormulasView(): JSX.Element {
  const { shown, status } = useSidebar();
  const spendingOff = describeSpendingOff(status);
  const formulas = useScriptValue('formulas', {});
  // The person types other formulas in the sheet.
  useReloadAfterRuns(formulas.refresh);
  useReloadWithSheet(shown, formulas.refresh);
  const { unread = 0, lastError } = formulas.value ?? {};
  const sheets = useStableOrder(formulas.value?.sheets ?? [], ({ sheetId }) => sheetId);
  useReloadWhile(shown && sheets.some(isLoading), formulas.reload);
  return (
    <>
      <Loading of={formulas} label={t('Loading formulas')} lines={5} />
      {formulas.value !== undefined && sheets.length === 0 && (
        <Empty title={t('No formulas yet')}>
          <p>
            {t(
              'Type =CDAPI in a cell to see what there is. =CDAPI_ENRICH(A2) beside a website in A2 finds its company for {credits}.',
              { credits: formatCredits(prices.company_clean.record) },
            )}
          </p>
        </Empty>
      )}
      {spendingOff !== undefined && sheets.length > 0 && (
        <Notice>
          {spendingOff} {t('Formulas only show records your team already bought.')}
        </Notice>
      )}
      {lastError !== undefined && sheets.some(hasErrors) && (
        <Notice tone="warn">
          {t('Last error, {time}: {message}', {
            time: formatTimeSince(lastError.at),
            message: lastError.message,
          })}
        </Notice>
      )}
      {sheets.map((sheet) => (
        <SheetFormulas key={sheet.sheetId} of={sheet} onList={formulas.put} onDone={formulas.reload} />
      ))}
      {unread > 0 && (
        <Hint>
          {t('{moreSheets} not read. Select one to list its formulas.', {
            moreSheets: formatCount(unread, 'more sheet'),
          })}
        </Hint>
      )}
      {formulas.value !== undefined && (
        <Row>
          <Button kind="quiet" busy={formulas.busy} onClick={formulas.reload}>
            {t('Check again')}
          </Button>
        </Row>
      )}
    </>
  );
}
