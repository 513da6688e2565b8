// The API of the admin, /admin/v1: all its endpoints.
import { teamEndpoints } from './admin.ts';
import { adminDataRequestEndpoints } from './admin-data-requests.ts';
import { erasureEndpoints } from './admin-erasures.ts';
import { peopleEndpoints } from './admin-people.ts';
import { personSearchEndpoints } from './admin-person-searches.ts';
import { recordEndpoints } from './admin-records.ts';
import { reportEndpoints } from './admin-reports.ts';
import { adminScheduleEndpoints } from './admin-schedules.ts';
import { settingsEndpoints } from './admin-settings.ts';
import { adminTokenEndpoints } from './admin-tokens.ts';
import type { ResponseOf } from './endpoint.ts';

export const adminEndpoints = {
  ...teamEndpoints,
  ...adminTokenEndpoints,
  ...peopleEndpoints,
  ...reportEndpoints,
  ...recordEndpoints,
  ...erasureEndpoints,
  ...personSearchEndpoints,
  ...adminDataRequestEndpoints,
  ...adminScheduleEndpoints,
  ...settingsEndpoints,
};

export type AdminName = keyof typeof adminEndpoints;

export type AdminResponse<N extends AdminName> = ResponseOf<(typeof adminEndpoints)[N]>;
