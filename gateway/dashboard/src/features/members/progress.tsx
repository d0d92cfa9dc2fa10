import type { Progress, SkillStatus, SwimmingLevel } from '@swim/sdk';
import { useState } from 'react';
import { LEVELS } from '../../api/levels.ts';
import { useMe, useScopes } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox, Choice } from '../../design/fields/fields.tsx';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Section, Shown } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useAssess, useProgress } from './members.ts';

type Skill = Progress['skills'][number];

const STATUSES = ['not_started', 'introduced', 'developing', 'mastered'] as const;

interface SkillProps {
  readonly skill: Skill;
  readonly mayAssess: boolean;
  readonly isSaving: boolean;
  readonly onChange: (skill: Skill, status: SkillStatus) => void;
}

function SkillRow({ skill, mayAssess, isSaving, onChange }: SkillProps) {
  const { t } = useLanguage();
  const isMastered = skill.status === 'mastered';
  const options = STATUSES.map((value) => ({ value, label: t(`skill.${value}`) }));
  return (
    <li className="skill">
      <Checkbox
        isSelected={isMastered}
        isDisabled={!mayAssess || isSaving}
        onChange={(isOn) => onChange(skill, isOn ? 'mastered' : 'developing')}
      >
        {skill.name}
      </Checkbox>
      {mayAssess ? (
        <Choice
          label={t('members.skillOf', { skill: skill.name })}
          hideLabel
          value={skill.status}
          options={options}
          isDisabled={isSaving}
          onChange={(status) => onChange(skill, status)}
        />
      ) : (
        <span className="hint">{t(`skill.${skill.status}`)}</span>
      )}
    </li>
  );
}

interface LevelsProps extends Omit<SkillProps, 'skill'> {
  readonly progress: Progress;
}

function LevelsOf({ progress, ...props }: LevelsProps) {
  const { t } = useLanguage();
  const of = (level: SwimmingLevel) => progress.skills.filter((skill) => skill.level === level);
  const mastered = (level: SwimmingLevel) => of(level).filter(({ status }) => status === 'mastered').length;
  return LEVELS.filter((level) => of(level).length > 0).map((level) => (
    <details key={level} className="card" open={level === progress.swimming_level}>
      <summary>
        {t(`level.${level}`)}{' '}
        <span className="hint">{t('members.mastered', { count: mastered(level), total: of(level).length })}</span>
      </summary>
      <ul className="plain-list skills">
        {of(level).map((skill) => (
          <SkillRow key={skill.code} skill={skill} {...props} />
        ))}
      </ul>
    </details>
  ));
}

function Figures({ progress }: { progress: Progress }) {
  const { t, tag } = useLanguage();
  const { percent_complete: percent, attendance_rate: rate, next_level: next } = progress;
  const share = (value: number) => value.toLocaleString(tag, { style: 'percent' });
  return (
    <dl className="facts card">
      <div>
        <dt>{t('members.complete')}</dt>
        <dd>
          {percent === null ? '–' : <progress max={100} value={percent} aria-label={t('members.complete')} />}{' '}
          {percent !== null && share(percent / 100)}
        </dd>
      </div>
      <div>
        <dt>{t('members.nextLevel')}</dt>
        <dd>{next ? t(`level.${next}`) : '–'}</dd>
      </div>
      <div>
        <dt>{t('members.given')}</dt>
        <dd>{progress.sessions_completed}</dd>
      </div>
      <div>
        <dt>{t('members.attendance')}</dt>
        <dd>{rate === null ? '–' : share(rate)}</dd>
      </div>
    </dl>
  );
}

function Assessed({ progress, memberId }: { progress: Progress; memberId: string }) {
  const { t } = useLanguage();
  const { account } = useMe();
  const mayAssess = useScopes()('members:write') && account.kind === 'school';
  const assess = useAssess(memberId);
  const [before, setBefore] = useState<Skill | null>(null);
  const record = (skill: Skill, status: SkillStatus, undo: Skill | null) =>
    assess.mutate({ code: skill.code, status }, { onSuccess: () => setBefore(undo) });
  return (
    <>
      <Figures progress={progress} />
      <LevelsOf
        progress={progress}
        mayAssess={mayAssess}
        isSaving={assess.isPending}
        onChange={(skill, status) => record(skill, status, skill)}
      />
      {before && (
        <Notice kind="success">
          <span className="row">
            {t('members.recorded', { skill: before.name })}
            <Button small isPending={assess.isPending} onPress={() => record(before, before.status, null)}>
              {t('members.undo')}
            </Button>
          </span>
        </Notice>
      )}
      <ErrorNotice error={assess.error} />
    </>
  );
}

/** Level and skills of a member; a school that teaches it ticks them off. */
export function ProgressOf({ memberId }: { memberId: string }) {
  const { t } = useLanguage();
  const query = useProgress(memberId);
  return (
    <Section title={t('members.progress')}>
      <Shown query={query}>{(progress) => <Assessed progress={progress} memberId={memberId} />}</Shown>
    </Section>
  );
}
