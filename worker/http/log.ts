// The log of failures: one line of JSON for each. It holds ids, patterns, names and counts; never a path, a query, a body, a
// header, an address or the message of an error, any of which may hold a person's key.

/** Codes of failures. They are stable, because alerts match them. docs/admin.md explains each. */
export const failureCodes = [
  'access_call_failed',
  'alert_delivery_failed',
  'alert_enqueue_failed',
  'assistant_call_failed',
  'budget_check_failed',
  'cache_write_failed',
  'cached_rows_missing',
  'cancellation_failed',
  'data_request_file_failed',
  'data_request_file_truncated',
  'data_request_step_failed',
  'erasure_interrupted',
  'google_call_failed',
  'health_check_failed',
  'internal_error',
  'job_enqueue_failed',
  'job_failed',
  'kv_delete_failed',
  'kv_read_failed',
  'lease_failed',
  'lease_timed_out',
  'ledger_archive_failed',
  'metrics_write_failed',
  'object_unreachable',
  'operator_signal_failed',
  'outbox_delivery_failed',
  'peer_publish_failed',
  'provider_call_failed',
  'provider_response_unreadable',
  'provider_settings_read_failed',
  'provider_throttle_report_failed',
  'provider_throttle_unreachable',
  'push_failed',
  'reservation_failed',
  'reservation_prepare_failed',
  'schedule_run_failed',
  'settlement_disputed',
  'single_flight_background_failed',
  'single_flight_call_failed',
  'single_flight_unreachable',
  'sweep_failed',
  'uncaught_exception',
  'unknown_settlement',
  'usage_flush_failed',
  'usage_rollup_failed',
  'caller_webhook_failed',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** Details of a failure: ids, names and counts. */
export type LogFields = Readonly<Record<string, string | number>>;

/** `    at name (file:///folder/file.js:1:2)`: function, file and position. */
const FRAME = /^ {4}at (?:(?:async |new )*([\w$.#<>]+) )?.*?([\w.-]+:\d+:\d+)\)?$/;
const MAX_FRAMES = 5;

/** Returns where an error was created, without its message, which may contain anything. */
function getStackFrames({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  if (start < 0) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .flatMap((line) => {
      const [, name, position] = FRAME.exec(line) ?? [];
      return position === undefined ? [] : [name === undefined ? position : `${name} ${position}`];
    })
    .slice(0, MAX_FRAMES);
}

/**
 * Logs a failure.
 * @param error - the thrown value. Its name and position are logged, its message is not
 * @param details - nothing that a caller wrote
 */
export function logError(event: FailureCode, error?: unknown, details: LogFields = {}): void {
  const thrown =
    error instanceof Error ? { error: error.name, at: getStackFrames(error) } : { error: typeof error };
  console.error(JSON.stringify({ event, ...details, ...(error === undefined ? {} : thrown) }));
}
