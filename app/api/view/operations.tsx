import { useTranslation } from "react-i18next";
import { SCOPE_TEXTS, type Scope } from "~/api/scopes";

const OPERATIONS = [
  { name: "start", request: "POST /api/v1/runs", scope: "runs:write" },
  { name: "list", request: "GET /api/v1/runs", scope: "runs:read" },
  { name: "show", request: "GET /api/v1/runs/{id}", scope: "runs:read" },
  { name: "export", request: "GET /api/v1/runs/{id}/export.{format}", scope: "runs:read" },
  { name: "cancel", request: "POST /api/v1/runs/{id}/cancel", scope: "runs:write" },
  { name: "delete", request: "DELETE /api/v1/runs/{id}", scope: "runs:write" },
  { name: "acceptances", request: "GET /api/v1/runs/{id}/acceptances", scope: "runs:read" },
  { name: "accept", request: "POST /api/v1/runs/{id}/acceptances", scope: "runs:write" },
  { name: "endAcceptance", request: "DELETE /api/v1/acceptances/{id}", scope: "runs:write" },
  { name: "schedules", request: "GET /api/v1/schedules", scope: "runs:read" },
  { name: "schedule", request: "POST /api/v1/schedules", scope: "runs:write" },
  { name: "endSchedule", request: "DELETE /api/v1/schedules/{id}", scope: "runs:write" },
] as const satisfies { name: string; request: string; scope: Scope }[];

/** Short list of the API's operations. */
export function Operations() {
  const { t } = useTranslation("tokens");
  return (
    <dl className="facts-list facts-list-wide">
      {OPERATIONS.map(({ name, request, scope }) => (
        <div key={name}>
          <dt>
            <code dir="ltr" translate="no">
              {request}
            </code>
          </dt>
          <dd>
            <p>{t(`docs.operation.${name}`)}</p>
            <p className="hint">
              {t("docs.needs")}{" "}
              <code dir="ltr" translate="no">
                {scope}
              </code>{" "}
              ({t(`scope.${SCOPE_TEXTS[scope]}`)})
            </p>
          </dd>
        </div>
      ))}
    </dl>
  );
}
