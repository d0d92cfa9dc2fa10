import type { Texts } from './en.ts';
import { authentication } from './fr/authentication.ts';
import { bookings } from './fr/bookings.ts';
import { calendar } from './fr/calendar.ts';
import { developers } from './fr/developers.ts';
import { errors } from './fr/errors.ts';
import { instructors } from './fr/instructors.ts';
import { keys } from './fr/keys.ts';
import { lessons } from './fr/lessons.ts';
import { members } from './fr/members.ts';
import { office } from './fr/office.ts';
import { pools } from './fr/pools.ts';
import { requests } from './fr/requests.ts';
import { settings } from './fr/settings.ts';
import { shell } from './fr/shell.ts';
import { usage } from './fr/usage.ts';

export const fr: Texts = {
  ...authentication,
  ...office,
  ...instructors,
  ...lessons,
  ...members,
  ...bookings,
  ...calendar,
  ...developers,
  ...keys,
  ...pools,
  ...requests,
  ...settings,
  ...shell,
  ...usage,
  ...errors,
};
