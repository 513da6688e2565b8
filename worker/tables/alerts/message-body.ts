// Formats a message for an incoming webhook: `{"text": …}`.

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
