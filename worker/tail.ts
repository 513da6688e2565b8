// Entry point of the log Worker of a deployment. The platform stores the address of a request with each log line of its
// Worker, and addresses name people. This Worker receives the lines of the gateway and writes them; it has no requests.
import { logError } from './http/log.ts';

/** The parts of an event that are written. `scriptVersion` is the version of the gateway that logged (TraceItem of workerd). */
type LoggedEvent = Pick<TraceItem, 'logs' | 'exceptions' | 'scriptVersion'>;

function addVersion(line: string, id: string | undefined): string {
  return id === undefined || !line.startsWith('{"')
    ? line
    : `{"version":${JSON.stringify(id)},${line.slice(1)}`;
}

/** Writes log lines with the version that logged them, without anything else that is known of their requests. */
export function writeLines(events: readonly LoggedEvent[]): void {
  for (const { logs, exceptions, scriptVersion } of events) {
    const version = scriptVersion?.id;
    for (const { level, message } of logs) {
      const line = addVersion([message].flat().map(String).join(' '), version);
      if (level === 'error' || level === 'warn') console.error(line);
      else console.log(line);
    }
    // Only the name: the message may contain anything.
    for (const { name } of exceptions) {
      logError('uncaught_exception', undefined, {
        ...(version === undefined ? {} : { version }),
        error: name,
      });
    }
  }
}

export default { tail: (events) => writeLines(events) } satisfies ExportedHandler;
