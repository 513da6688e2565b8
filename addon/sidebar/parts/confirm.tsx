// Confirmation dialogs.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Overwrite } from '../../server/api/index.ts';
import { formatCount, t } from '../../texts/texts.ts';
import { Row } from './basics.tsx';
import { Button } from './controls.tsx';

/** A question with two or three answers. Takes the focus, and returns it if the person cancels; Escape cancels. */
export function Confirm(props: {
  question: string;
  yes: string;
  onYes: () => void;
  onNo: () => void;
  /** Continues without what the question is about. */
  onKeep?: () => void;
  children?: ComponentChildren;
  busy?: boolean;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const previous = useRef<Element | null>(null);
  useEffect(() => {
    previous.current = document.activeElement;
    box.current?.focus();
  }, []);
  const cancel = (): void => {
    props.onNo();
    // It may be disabled until the question is gone.
    queueMicrotask(() => {
      if (previous.current instanceof HTMLElement) previous.current.focus();
    });
  };
  return (
    <div
      class="notice warn"
      role="alertdialog"
      aria-label={props.question}
      tabIndex={-1}
      ref={box}
      onKeyDown={({ key }) => {
        if (key === 'Escape') cancel();
      }}
    >
      <p>{props.question}</p>
      {props.children}
      <Row>
        <Button kind="danger" onClick={props.onYes} busy={props.busy ?? false}>
          {props.yes}
        </Button>
        {props.onKeep !== undefined && <Button onClick={props.onKeep}>{t('Keep mine')}</Button>}
        <Button kind="quiet" onClick={cancel}>
          {t('Cancel')}
        </Button>
      </Row>
    </div>
  );
}

export function OverwriteSample(props: { overwrite: Overwrite }): JSX.Element {
  const { cells, sample } = props.overwrite;
  const others = cells - sample.length;
  return (
    <ul class="sample">
      {sample.map(({ cell, value }) => (
        <li key={cell}>
          <b>{cell}</b> {value}
        </li>
      ))}
      {others > 0 && <li>{t('and {moreCells}', { moreCells: formatCount(others, 'more cell') })}</li>}
    </ul>
  );
}
