// A message as an incoming webhook takes it: `{"text": …}`.

/** The characters that are control characters in Slack's mrkdwn: they could make a link or a mention of a title. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const MAX_LENGTH = 3_000;

function escapeMrkdwn(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? '');
}

/**
 * Makes the body of a message.
 * @param team - its name
 * @returns JSON
 */
export function buildMessageBody(team: string, text: string): string {
  const whole = `${team}: ${text}`;
  const said = whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH)}…` : whole;
  return JSON.stringify({ text: escapeMrkdwn(said.toWellFormed()) });
}
