// Formats a message for an incoming webhook: `{"text": …}`.

/** Control characters of Slack's mrkdwn. Unescaped, a table title could become a link or a mention. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const MAX_LENGTH = 3_000;

function escapeMrkdwn(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? '');
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
