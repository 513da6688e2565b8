// What the platform passes to background work of data requests: queue messages and Workflow parameters.
import * as z from 'zod';

/** A message of the webhook queue: a webhook of the provider for one data request. */
export const webhookMessageSchema = z.object({ request: z.string(), body: z.string() });
export type WebhookMessage = z.infer<typeof webhookMessageSchema>;

/** Parameters of the Workflow of a data request. */
export interface WorkflowParams {
  requestId: string;
}
