// Text editor for DSL queries with validation.
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { DSL_EXAMPLE } from './draft.ts';

export function QueryEditor(props: {
  text: string;
  problem: string | undefined;
  onInput: (text: string) => void;
}): JSX.Element {
  const { text, problem, onInput } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Query (JSON)</label>
      <textarea
        id={id}
        class="code"
        rows={8}
        value={text}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={`${id}-check`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <p id={`${id}-check`} class={problem === undefined ? 'hint' : 'hint wrong'} role="status">
        {problem ??
          (text === DSL_EXAMPLE
            ? 'An example, without the conditions of the form.'
            : 'Enter a query, or an object with “query” and “sort”.')}
      </p>
    </div>
  );
}
