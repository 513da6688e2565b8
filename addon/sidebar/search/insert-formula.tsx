// Inserts the search as a formula into the selected cell.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { hasPreviewField } from '../../../shared/families/previews.ts';
import { getPreviewPrice } from '../../../shared/operations.ts';
import type { Payload } from '../../server/api/index.ts';
import { t } from '../../texts/texts.ts';
import { formatCredits } from '../format.ts';
import { useScriptAction } from '../hooks.ts';
import { ErrorNotice, Row, Stack } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button, RadioGroup } from '../parts/controls.tsx';
import { parseDraft, type SearchDraft } from './draft.ts';

type Formula = Payload<'insertFormula'>['formula'];

export function InsertFormula(props: { draft: SearchDraft }): JSX.Element {
  const { draft } = props;
  const { family, columns, pages } = draft;
  const action = useScriptAction();
  const [formula, setFormula] = useState<Formula>('CDAPI_COUNT');
  const [written, setWritten] = useState<string>();
  const { query } = parseDraft(draft);
  const price = pages * getPreviewPrice(family);
  const insert = async (confirmed: boolean): Promise<void> => {
    if (query === undefined) return;
    setWritten(undefined);
    const inserted = await action.run('insertFormula', {
      formula,
      family,
      query,
      ...(formula === 'CDAPI_PREVIEW' && {
        columns: columns.filter((name) => hasPreviewField(family, name)),
        limit: pages,
        maxCredits: price,
      }),
      ...(formula === 'CDAPI_SEARCH' && { limit: pages * 20 }),
      ...(confirmed && { confirmed }),
    });
    if (inserted !== undefined)
      setWritten(t('Inserted in {cell}: {formula}', { cell: inserted.cell, formula: inserted.formula }));
  };
  const needsConfirmation = action.error?.code === 'confirm_first';
  return (
    <Stack>
      <RadioGroup<Formula>
        label={t('Formula for the selected cell')}
        value={formula}
        options={[
          { value: 'CDAPI_COUNT', label: t('Number of matches'), hint: t('free') },
          { value: 'CDAPI_SEARCH', label: t('First {ids} IDs', { ids: pages * 20 }), hint: t('free') },
          {
            value: 'CDAPI_PREVIEW',
            label: t('First {rows} rows', { rows: pages * 20 }),
            hint: t('up to {credits}; free if your team already bought them', {
              credits: formatCredits(price),
            }),
          },
        ]}
        onChange={setFormula}
      />
      {needsConfirmation && action.error !== undefined ? (
        <Confirm
          question={action.error.message}
          yes={t('Replace cell')}
          busy={action.busy}
          onYes={() => void insert(true)}
          onNo={action.clear}
        />
      ) : (
        <ErrorNotice error={action.error} />
      )}
      <Row>
        <Button disabled={query === undefined} busy={action.busy} onClick={() => void insert(false)}>
          {t('Insert formula')}
        </Button>
      </Row>
      <p class="hint formula" role="status">
        {written}
      </p>
    </Stack>
  );
}
