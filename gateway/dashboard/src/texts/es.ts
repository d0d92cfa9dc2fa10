import type { Texts } from './en.ts';
import { authentication } from './es/authentication.ts';
import { bookings } from './es/bookings.ts';
import { calendar } from './es/calendar.ts';
import { classes } from './es/classes.ts';
import { collecting } from './es/collecting.ts';
import { connections } from './es/connections.ts';
import { developers } from './es/developers.ts';
import { errors } from './es/errors.ts';
import { instructors } from './es/instructors.ts';
import { lessons } from './es/lessons.ts';
import { members } from './es/members.ts';
import { office } from './es/office.ts';
import { pools } from './es/pools.ts';
import { settings } from './es/settings.ts';
import { shell } from './es/shell.ts';

export const es: Texts = {
  ...authentication,
  ...office,
  ...instructors,
  ...lessons,
  ...members,
  ...bookings,
  ...calendar,
  ...classes,
  ...collecting,
  ...connections,
  ...developers,
  ...pools,
  ...settings,
  ...shell,
  ...errors,
};
