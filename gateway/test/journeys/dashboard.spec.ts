import './topics/dashboard-attacks.js';
import './topics/dashboard-sign-in.js';
import './topics/dashboard-users.js';
