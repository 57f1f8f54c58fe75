/** A number that goes up and down, with a sample for each set of labels. */
export interface Gauge {
  name: string;
  help: string;
  samples: { labels?: Record<string, string>; value: number }[];
}

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export function writeGauges(gauges: Gauge[]): string {
  return gauges
    .flatMap(({ name, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...samples.map(({ labels = {}, value }) => `${name}${writeLabels(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function writeLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}
