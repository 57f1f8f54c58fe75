import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F30: a file name or a placeholder is no text alternative. F39: a spacer needs none. */
export const imageName: PageRule = {
  id: "rampe-image-name",
  criteria: ["1.1.1"],
  level: "wcag2a",
  category: "text-alternatives",
  impact: "serious",
  selector: "img, input[type=image], area[alt], svg, [role=img], [role=image], canvas, object",
  judge(element, kit) {
    const placeholders = new Set(
      (
        "image,images,img,picture,pic,photo,photograph,graphic,icon,placeholder,spacer,blank,empty,alt,alt text,alternative text,image alt,image alt text," +
        "untitled,null,undefined,none,no alt,no description,insert alt text here,description,image description,photo description," +
        "bild,bilder,bildchen,foto,fotografie,grafik,symbolbild,platzhalter,platzhalterbild,leer,ohne titel,unbenannt,kein alternativtext," +
        "alternativtext,alternativer text,bildbeschreibung,beschreibung,abbildung"
      ).split(","),
    );
    if (!kit.isExposed(element)) return undefined;
    const name = kit.name(element);
    if (name === "") return undefined;
    const data = { name: name.slice(0, 100) };
    if (/^[^\s/\\]*\S\.(png|jpe?g|jfif|gif|svg|webp|avif|bmp|tiff?|ico|heic)$/i.test(name)) return { fails: "file", data };
    if (isNameOfSource()) return { fails: "file", data };
    const plain = kit.plain(name);
    const isEmoticon = /^[:;=8x][-o^']?[()[\]|/\\dp*<>o3]$/i.test(name.trim());
    if (plain === "" && !isEmoticon) return { fails: "characters", data };
    if (placeholders.has(plain.replace(/ ?\d+$/, ""))) return { fails: "placeholder", data };
    return "passes";

    /** Such as `DSC_0042` or `hero-image_v2`; a single word may also be a name. */
    function isNameOfSource(): boolean {
      const source = (element as HTMLImageElement).currentSrc || element.getAttribute("src") || "";
      const file = decoded(source.replace(/[?#].*$/, "").split("/").at(-1) ?? "").replace(/\.\w{2,5}$/, "");
      return file === name && /[_\d]|-.*-/.test(name) && !/\s/.test(name) && name.length > 3;
    }

    function decoded(file: string): string {
      try {
        return decodeURIComponent(file);
      } catch {
        return file;
      }
    }
  },
};
