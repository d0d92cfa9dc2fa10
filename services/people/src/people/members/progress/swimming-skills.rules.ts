import type { SwimmingLevel } from '@swim/contracts';

/** One skill of a level. `code` is stable. */
export interface Skill {
  code: string;
  name: string;
  level: SwimmingLevel;
}

const level = (name: SwimmingLevel, skills: Record<string, string>): Skill[] =>
  Object.entries(skills).map(([code, skill]) => ({ code, name: skill, level: name }));

/**
 * The skills of each level, after the course outline of the American Red Cross Learn-to-Swim programme: levels 1 (Introduction
 * to Water Skills), 2 (Fundamental Aquatic Skills), 3 (Stroke Development), 4 (Stroke Improvement), 5 (Stroke Refinement) and
 * 6 (Swimming and Skill Proficiency). Distances are the programme's yards.
 */
export const SKILLS: readonly Skill[] = [
  ...level('beginner', {
    l1_enter_water: 'Enter the water by ramp, steps or side',
    l1_exit_water: 'Leave the water by ladder, steps or side',
    l1_blow_bubbles: 'Blow bubbles through mouth and nose',
    l1_bobbing: 'Bob five times',
    l1_eyes_open: 'Open the eyes under water and pick up a submerged object',
    l1_front_glide: 'Front glide of two body lengths, with support',
    l1_back_glide: 'Back glide of two body lengths, with support',
    l1_back_float: 'Back float and recovery to vertical, with support',
    l1_rolling_over: 'Roll from front to back and from back to front, with support',
    l1_treading_hands: 'Tread chest-deep water with arms and hands',
    l1_front_actions: 'Arm and leg actions on the front',
    l1_back_actions: 'Arm and leg actions on the back',
  }),
  ...level('advanced_beginner', {
    l2_step_or_jump_in: 'Enter the water by stepping or jumping from the side',
    l2_submerge: 'Submerge fully and hold the breath',
    l2_bobbing: 'Bob ten times',
    l2_rotary_breathing: 'Rotary breathing',
    l2_front_float: 'Front, jellyfish and tuck float, unsupported',
    l2_front_glide: 'Front glide of two body lengths and recovery to vertical',
    l2_back_float: 'Back float of 15 seconds',
    l2_back_glide: 'Back glide and recovery to vertical',
    l2_rolling_over: 'Roll from front to back and from back to front, unsupported',
    l2_change_direction: 'Change direction while swimming on front or back',
    l2_treading: 'Tread water for 15 seconds',
    l2_front_swim: 'Swim on the front for five body lengths',
    l2_back_swim: 'Finning and combined strokes on the back for five body lengths',
  }),
  ...level('intermediate', {
    l3_jump_deep: 'Jump into deep water from the side',
    l3_headfirst_entry: 'Headfirst entry from a sitting and a kneeling position',
    l3_bobbing_to_safety: 'Bob while moving toward safety',
    l3_rotary_breathing: 'Rotary breathing, ten times',
    l3_survival_float: 'Survival float on the front for 30 seconds',
    l3_back_float: 'Back float for 30 seconds',
    l3_vertical_to_horizontal: 'Change from vertical to horizontal position on front and back',
    l3_treading: 'Tread water for 30 seconds',
    l3_streamlined_push_off: 'Push off in a streamlined position and begin kicking',
    l3_kicks: 'Flutter, scissors, dolphin and breaststroke kick on the front',
    l3_front_crawl: 'Front crawl, 15 yards',
    l3_elementary_backstroke: 'Elementary backstroke, 15 yards',
  }),
  ...level('advanced_intermediate', {
    l4_headfirst_entry: 'Headfirst entry in compact and stride position',
    l4_underwater_swim: 'Swim under water for three to five body lengths',
    l4_feetfirst_dive: 'Feetfirst surface dive',
    l4_survival_swim: 'Survival swimming for 30 seconds',
    l4_open_turns: 'Open turns on front and back',
    l4_treading: 'Tread water for two minutes with two different kicks',
    l4_front_crawl: 'Front crawl, 25 yards',
    l4_elementary_backstroke: 'Elementary backstroke, 25 yards',
    l4_back_crawl: 'Back crawl, 15 yards',
    l4_breaststroke: 'Breaststroke, 15 yards',
    l4_sidestroke: 'Sidestroke, 15 yards',
    l4_butterfly: 'Butterfly, 15 yards',
    l4_back_kicks: 'Flutter and dolphin kick on the back after a streamlined push-off',
  }),
  ...level('advanced', {
    l5_shallow_dive: 'Shallow-angle dive, glide and start of a front stroke',
    l5_surface_dives: 'Tuck and pike surface dive',
    l5_flip_turns: 'Flip turns on front and back',
    l5_survival_swim: 'Survival swimming for two minutes',
    l5_treading: 'Tread water for five minutes, and for two with legs only',
    l5_sculling: 'Standard scull for 30 seconds',
    l5_front_crawl: 'Front crawl, 50 yards',
    l5_elementary_backstroke: 'Elementary backstroke, 50 yards',
    l5_back_crawl: 'Back crawl, 25 yards',
    l5_breaststroke: 'Breaststroke, 25 yards',
    l5_sidestroke: 'Sidestroke, 25 yards',
    l5_butterfly: 'Butterfly, 25 yards',
  }),
  ...level('proficient', {
    l6_front_crawl: 'Front crawl, 100 yards',
    l6_elementary_backstroke: 'Elementary backstroke, 100 yards',
    l6_back_crawl: 'Back crawl, 50 yards',
    l6_breaststroke: 'Breaststroke, 50 yards',
    l6_sidestroke: 'Sidestroke, 50 yards',
    l6_butterfly: 'Butterfly, 50 yards',
    l6_continuous_swim: 'Swim 500 yards without a stop, any three strokes',
    l6_turns: 'Open and flip turns while swimming',
    l6_retrieve_object: 'Surface dive and retrieve an object from 7 to 10 feet',
    l6_survival_float: 'Survival float and back float, five minutes each',
    l6_treading_legs: 'Tread water with legs only for two minutes',
    l6_clothed_survival: 'HELP and huddle position, and survival swimming in clothes',
  }),
];
