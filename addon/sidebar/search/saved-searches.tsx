// Opens, saves and deletes searches.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SavedSearch } from '../../../shared/api/saved-searches.ts';
import { maxSearchNameLength } from '../../../shared/limits.ts';
import { type EditableAsyncValue, useScriptAction } from '../hooks.ts';
import { ErrorNotice, Form, Row } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Checkbox, Link, Select, TextField } from '../parts/controls.tsx';
import { getTitle, MAX_DESCRIPTION_LENGTH, parseDraft, type SearchDraft } from './draft.ts';

/** The list of saved searches; null if there are none. */
export function OpenSaved(props: {
  searches: EditableAsyncValue<SavedSearch[]>;
  chosen: string;
  onOpen: (search: SavedSearch | undefined) => void;
}): JSX.Element | null {
  const { searches, chosen, onOpen } = props;
  const [deleting, setDeleting] = useState(false);
  const action = useScriptAction();
  const all = searches.value ?? [];
  if (all.length === 0) return null;
  const open = all.find(({ id }) => id === chosen);
  const remove = async (id: string): Promise<void> => {
    const remaining = await action.run('deleteSearch', { id });
    if (remaining === undefined) return;
    searches.put(remaining);
    setDeleting(false);
    onOpen(undefined);
  };
  return (
    <>
      <Select
        label="Saved searches"
        value={open === undefined ? '' : chosen}
        options={[
          { value: '', label: 'New search' },
          ...all.map(({ id, name, shared }) => ({ value: id, label: shared ? `${name} (team)` : name })),
        ]}
        onChange={(id) => onOpen(all.find((search) => search.id === id))}
      />
      {open !== undefined && !deleting && (
        <Link onClick={() => setDeleting(true)}>Delete this saved search</Link>
      )}
      {open !== undefined && deleting && (
        <Confirm
          question={`Delete “${open.name}”${open.shared ? ' for the whole team' : ''}?`}
          yes="Delete search"
          busy={action.busy}
          onYes={() => void remove(open.id)}
          onNo={() => setDeleting(false)}
        />
      )}
      <ErrorNotice error={action.error} />
    </>
  );
}

/** Form that saves the current search. */
export function SaveSearch(props: {
  draft: SearchDraft;
  onSaved: (searches: SavedSearch[]) => void;
}): JSX.Element {
  const { draft, onSaved } = props;
  const action = useScriptAction();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const [saved, setSaved] = useState('');
  const { query } = parseDraft(draft);
  const suggested = getTitle(draft, MAX_DESCRIPTION_LENGTH);
  const save = async (): Promise<void> => {
    if (query === undefined) return;
    const searchName = name.trim() === '' ? suggested : name.trim();
    const { family, columns } = draft;
    const searches = await action.run('saveSearch', { name: searchName, family, query, columns, shared });
    if (searches === undefined) return;
    onSaved(searches);
    setSaved(searchName);
    setName('');
  };
  return (
    <Form onSend={save}>
      <TextField
        label="Search name"
        value={name}
        placeholder={suggested}
        maxLength={maxSearchNameLength}
        onInput={(text) => {
          setName(text);
          setSaved('');
        }}
      />
      <Checkbox label="Share with my team" checked={shared} onChange={setShared} />
      <ErrorNotice error={action.error} />
      <Row>
        <Button type="submit" disabled={query === undefined} busy={action.busy}>
          Save search
        </Button>
        <span class="hint" role="status">
          {saved !== '' && 'Search saved.'}
        </span>
      </Row>
    </Form>
  );
}
