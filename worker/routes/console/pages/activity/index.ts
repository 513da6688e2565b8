// The section of what runs in the background: bulk orders, schedules, kept columns, deliveries and failed messages.
import type { Action, Page } from '../../context.ts';
import { deliveryActions, deliveryPages } from './deliveries.tsx';
import { failedMessageActions, failedMessagePages } from './failed-messages.tsx';
import { keptFilledActions, keptFilledPages } from './kept-filled.tsx';
import { orderActions, orderPages } from './order.tsx';
import { orderListPages } from './orders.tsx';
import { scheduleActions, schedulePages } from './schedules.tsx';

export const activityPages: readonly Page[] = [
  ...orderListPages,
  ...orderPages,
  ...schedulePages,
  ...keptFilledPages,
  ...deliveryPages,
  ...failedMessagePages,
];
export const activityActions: readonly Action[] = [
  ...orderActions,
  ...scheduleActions,
  ...keptFilledActions,
  ...deliveryActions,
  ...failedMessageActions,
];
