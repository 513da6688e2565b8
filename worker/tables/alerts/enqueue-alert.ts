// Enqueues alert messages to a team's alert addresses.
import type { AlertKind } from '../../../shared/api/schedules.ts';
import type { Env } from '../../env.ts';
import { logError } from '../../http/log.ts';
import { enqueue } from '../../queue/jobs.ts';
import { AlertStore } from './store.ts';

/** Control characters of Slack's mrkdwn. Unescaped, a table title could become a link or a mention. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const MAX_LENGTH = 3_000;

/** Inside a word, chats take these for parts of addresses, and show the word as a link. No message of ours has a link. */
const LINK_PART = /(?<=\S)[.:@/](?=\S)/g;
/** Invisible: the text looks the same, but is no address. */
const WORD_JOINER = '\u2060';

/** Address of a service account, alone in its word: a person copies it to share a spreadsheet with it. */
const SERVICE_ACCOUNT = /(?<!\S)([\w-]+@[\w-]+\.iam\.gserviceaccount\.com)(?![^\s,.])/;

function escapeMrkdwn(text: string): string {
  return text
    .split(SERVICE_ACCOUNT)
    .map((part, at) =>
      at % 2 === 1 ? part : part.replaceAll(LINK_PART, (character) => character + WORD_JOINER),
    )
    .join('')
    .replaceAll(/[&<>]/g, (character) => entities[character] ?? '');
}

/**
 * Builds the body of a message.
 * @param team - name of the team
 * @returns JSON
 */
export function buildMessageBody(team: string, text: string): string {
  const message = `${team}: ${text}`;
  const truncated = message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH)}…` : message;
  return JSON.stringify({ text: escapeMrkdwn(truncated.toWellFormed()) });
}

export interface AlertEvent {
  teamId: string;
  kind: AlertKind;
  /** Deduplication key: an address gets one message per subject. `request:<id>`, `run:<id>`, `push:<id>`. */
  subject: string;
  /** One or two sentences: what happened and what to do. Never names a person or a record; a company by its website only. */
  text: string;
  /** Ids of the addresses that get it. Default: all that subscribe to the kind. */
  to?: readonly string[];
}

/** Enqueues a message to each address that subscribes to the event's kind. Never throws: failures are logged. */
export async function enqueueAlert(env: Env, event: AlertEvent, now: number): Promise<void> {
  const { teamId, kind, subject, text, to } = event;
  try {
    const store = new AlertStore(env.DB);
    const recipients = await store.findRecipients(teamId, kind);
    if (recipients === undefined) return;
    const body = buildMessageBody(recipients.name, text);
    const ids = await store.insertMessages(
      (to ?? recipients.alertIds).map((alertId) => ({
        id: crypto.randomUUID(),
        alertId,
        subject,
        body,
        createdAt: now,
      })),
    );
    await enqueue(
      env,
      ids.map((id) => ({ kind: 'alert', id })),
    );
  } catch (error) {
    logError('alert_enqueue_failed', error, { team: teamId, kind });
  }
}
