import type { Texts } from './en.ts';
import { authentication } from './es/authentication.ts';
import { bookings } from './es/bookings.ts';
import { calendar } from './es/calendar.ts';
import { developers } from './es/developers.ts';
import { errors } from './es/errors.ts';
import { instructors } from './es/instructors.ts';
import { keys } from './es/keys.ts';
import { lessons } from './es/lessons.ts';
import { members } from './es/members.ts';
import { office } from './es/office.ts';
import { pools } from './es/pools.ts';
import { requests } from './es/requests.ts';
import { settings } from './es/settings.ts';
import { shell } from './es/shell.ts';
import { usage } from './es/usage.ts';

export const es: Texts = {
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
