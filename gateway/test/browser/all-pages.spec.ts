import './topics/appearance.js';
import './topics/calendar.js';
import './topics/developers.js';
import './topics/money.js';
import './topics/attacks.js';
import './topics/sign-in.js';
import './topics/users.js';
