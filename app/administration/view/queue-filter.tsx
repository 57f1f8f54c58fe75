import { useTranslation } from "react-i18next";
import { RUN_STATES, type RunState } from "~/administration/run-states";
import { ListFilter } from "~/ui/form/list-filter";

/** Filter of the scans of all accounts. */
export function QueueFilter({ text, state }: { text: string; state: RunState }) {
  const { t } = useTranslation("admin");
  const states = RUN_STATES.map((value) => ({ value, label: t(`queue.state.${value}`) }));
  return (
    <ListFilter
      path="/admin/queue"
      labels={{ filter: t("queue.filter"), text: t("queue.text"), apply: t("queue.apply"), reset: t("queue.reset") }}
      text={text}
      choices={[{ name: "state", label: t("queue.column.state"), value: state, options: states }]}
      isUsed={text !== "" || state !== RUN_STATES[0]}
    />
  );
}
