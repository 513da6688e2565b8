// Opens, saves, changes and deletes searches.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SavedSearch } from '../../../shared/api/saved-searches.ts';
import { maxSearchNameLength } from '../../../shared/limits.ts';
import { t } from '../../texts/texts.ts';
import { type EditableAsyncValue, useScriptAction } from '../hooks.ts';
import { ErrorNotice, Form, Row } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Checkbox, Link, Select, TextField } from '../parts/controls.tsx';
import { getDerivedName, parseDraft, type SearchDraft } from './draft.ts';
import { openSavedSearch } from './query-form.ts';

export function OpenSaved(props: {
  searches: EditableAsyncValue<SavedSearch[]>;
  chosen: string;
  onOpen: (search: SavedSearch | undefined) => void;
}): JSX.Element | null {
  const { searches, chosen, onOpen } = props;
  const [deleting, setDeleting] = useState('');
  const action = useScriptAction();
  const all = searches.value ?? [];
  if (all.length === 0) return null;
  const open = all.find(({ id }) => id === chosen);
  const remove = (id: string): void =>
    void action.run('deleteSearch', { id }, (remaining) => {
      searches.put(remaining);
      onOpen(undefined);
    });
  return (
    <>
      <Select
        label={t('Saved searches')}
        value={open === undefined ? '' : chosen}
        options={[
          { value: '', label: t('New search') },
          ...all.map(({ id, name, shared }) => ({
            value: id,
            label: shared ? t('{name} (team)', { name }) : name,
          })),
        ]}
        onChange={(id) => onOpen(all.find((search) => search.id === id))}
      />
      {open !== undefined && deleting !== chosen && (
        <Link onClick={() => setDeleting(chosen)}>{t('Delete this saved search')}</Link>
      )}
      {open !== undefined && deleting === chosen && (
        <Confirm
          question={
            open.shared
              ? t('Delete “{name}” for the whole team?', { name: open.name })
              : t('Delete “{name}”?', { name: open.name })
          }
          yes={t('Delete search')}
          busy={action.busy}
          onYes={() => remove(open.id)}
          onNo={() => setDeleting('')}
        />
      )}
      <ErrorNotice error={action.error} />
    </>
  );
}

const getSavedKey = (draft: SearchDraft): string => JSON.stringify([parseDraft(draft).query, draft.columns]);

/** Form that saves the current search: as a new entry, or instead of the open one. */
export function SaveSearch(props: {
  draft: SearchDraft;
  searches: EditableAsyncValue<SavedSearch[]>;
  onDraft: (change: (draft: SearchDraft) => SearchDraft) => void;
}): JSX.Element {
  const { draft, searches, onDraft } = props;
  const { family, columns, title, savedId } = draft;
  const action = useScriptAction();
  const [name, setName] = useState('');
  const [choice, setChoice] = useState({ id: '', shared: false });
  /** The search that the message is about. */
  const [sent, setSent] = useState('');
  const { query } = parseDraft(draft);
  const key = getSavedKey(draft);
  const open = searches.value?.find(({ id }) => id === savedId);
  const opened = open && openSavedSearch(open, draft);
  const shared = choice.id === savedId ? choice.shared : open?.shared === true;
  const typed = name.trim();
  const derived = getDerivedName(draft);
  const suggested = (title !== open?.name && title.trim()) || derived;
  const save = async (id?: string): Promise<void> => {
    if (query === undefined) return;
    const searchName = typed || (id && opened?.title) || suggested;
    setSent(key);
    const search = { name: searchName, family, query, columns, shared };
    const all = await action.run('saveSearch', { ...search, ...(id && { id }) });
    const saved = all?.find((each) => each.name === searchName && each.shared === shared);
    if (all === undefined || saved === undefined) return;
    searches.put(all);
    // People go on typing while it is saved.
    onDraft((current) => ({
      ...current,
      savedId: saved.id,
      title: searchName === derived ? '' : searchName,
    }));
    setName('');
  };
  const isCurrent = sent === key;
  const isChanged = opened && (typed || shared !== open?.shared || key !== getSavedKey(opened));
  return (
    <Form onSend={save}>
      <TextField
        label={t('Search name')}
        value={name}
        placeholder={suggested}
        maxLength={maxSearchNameLength}
        onInput={(text) => {
          setName(text);
          setSent('');
        }}
      />
      <Checkbox
        label={t('Share with my team')}
        checked={shared}
        onChange={(on) => setChoice({ id: savedId, shared: on })}
      />
      {isCurrent && <ErrorNotice error={action.error} />}
      <Row>
        {isChanged && (
          <Button disabled={query === undefined} busy={action.busy} onClick={() => void save(savedId)}>
            {t('Save changes')}
          </Button>
        )}
        <Button type="submit" disabled={query === undefined} busy={action.busy}>
          {opened ? t('Save as new') : t('Save search')}
        </Button>
        <span class="hint" role="status">
          {isCurrent && !action.busy && !action.error && t('Search saved.')}
        </span>
      </Row>
    </Form>
  );
}
