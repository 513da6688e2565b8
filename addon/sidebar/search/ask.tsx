// A sentence that becomes a filled form. Nothing is searched or bought before the person clicks.
import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import { maxSentenceLength } from '../../../shared/limits.ts';
import type { MethodResult } from '../../server/index.ts';
import { t } from '../../texts/texts.ts';
import { ErrorNotice, Form, Hint, Notice, Row, StatusText } from '../parts/basics.tsx';
import { Button } from '../parts/controls.tsx';
import { callScript, type ScriptError } from '../script.ts';
import { formatValues } from './describe-condition.ts';
import type { SearchDraft } from './draft.ts';
import { getConditionLabel } from './no-matches.tsx';
import { fillForm } from './query-form.ts';

type Answer = MethodResult<'ask'>;

function Explanation({ answer }: { answer: Answer }): JSX.Element {
  const { family, conditions, left_out: leftOut } = answer;
  return (
    <div class="stack" role="status">
      {conditions.length === 0 ? (
        <Notice tone="warn">{t('Nothing in this sentence fits a field, so the form is unchanged.')}</Notice>
      ) : (
        <ul class="hint">
          {conditions.map((condition) => (
            <li key={condition.name}>
              “{condition.words}” → {getConditionLabel(family, condition.name)}:{' '}
              {formatValues(family, condition)}
            </li>
          ))}
        </ul>
      )}
      {leftOut.length > 0 && (
        <Notice tone="warn">
          <ul>
            {leftOut.map(({ words, reason }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
              <li key={at}>{t('“{words}” was left out: {reason}', { words, reason })}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

interface Asked {
  busy: boolean;
  error?: ScriptError;
  answer?: Answer;
}

/** @param props.family - of the form */
export function AskBox(props: {
  family: Family;
  onChange: (change: (draft: SearchDraft) => SearchDraft) => void;
}): JSX.Element {
  const id = useId();
  const [sentence, setSentence] = useState('');
  const [asked, setAsked] = useState<Asked>({ busy: false });
  const current = useRef(0);
  const ask = async (): Promise<void> => {
    const call = ++current.current;
    setAsked({ busy: true });
    const { family, onChange } = props;
    const reply = await callScript('ask', { sentence: sentence.replace(/\s+/g, ' ').trim(), family });
    // Stopped, or asked again.
    if (call !== current.current) return;
    if (!reply.ok) return setAsked({ busy: false, error: reply });
    setAsked({ busy: false, answer: reply.value });
    const { family: chosen, conditions } = reply.value;
    // The form may have changed while the model answered.
    if (conditions.length > 0) onChange((draft) => fillForm(draft, chosen, conditions));
  };
  const stop = (): void => {
    current.current += 1;
    setAsked({ busy: false });
  };
  return (
    <Form onSend={ask}>
      <div class="field">
        <label for={id}>{t('Describe your search')}</label>
        <textarea
          id={id}
          rows={2}
          value={sentence}
          maxLength={maxSentenceLength}
          placeholder={t('e.g. Fintech companies in Berlin with 50 to 200 people')}
          onInput={({ currentTarget }) => setSentence(currentTarget.value)}
          onKeyDown={(event) => {
            // A sentence is one line, so Enter sends it.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            if (!asked.busy && sentence.trim() !== '') void ask();
          }}
        />
      </div>
      <Row>
        <Button type="submit" disabled={sentence.trim() === ''} busy={asked.busy}>
          {t('Fill in the form')}
        </Button>
        {asked.busy && (
          <Button kind="quiet" onClick={stop}>
            {t('Stop')}
          </Button>
        )}
      </Row>
      {asked.busy ? (
        <StatusText>{t('Reading your sentence …')}</StatusText>
      ) : (
        asked.answer === undefined && (
          <Hint>{t('A language model reads only this sentence. It buys nothing.')}</Hint>
        )
      )}
      <ErrorNotice error={asked.error} />
      {asked.answer !== undefined && <Explanation answer={asked.answer} />}
    </Form>
  );
}
