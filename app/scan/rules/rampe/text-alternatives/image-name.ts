import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F30: a file name or a placeholder is no text alternative. F39: a spacer needs none. */
export const imageName: PageRule = {
  id: "rampe-image-name",
  since: "1.0.0",
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
    const ending = /\.(png|jpe?g|jfif|gif|svg|webp|avif|bmp|tiff?|ico|heic)$/i;
    const files = filesOf(element);
    // Some products have names like a file, but seldom with marks of cameras and programs.
    const hasMarks = (words: string) => /_|\d\d|-.*-/.test(words);
    // Names given by cameras, phones and programs, whatever the file is called now.
    const isByMachine = /^((IMG|DSC[FN]?|PXL|MVIMG)[_-]?\d{3,}[\w-]*|(screen ?shot|bildschirmfoto|whatsapp (image|bild))[ _-]\d{4}-\d\d-\d\d[\d ._:-]*((at|um)[\d ._:-]*)?([ap]m)?( ?\(\d+\))?)$/i;
    if (isByMachine.test(name.replace(ending, ""))) return { fails: "file", data };
    // A file name of several words may still say what the image shows.
    if (/\s/.test(name) && ending.test(name)) return { asks: "file", data };
    if (/^\S+\.\w+$/.test(name) && ending.test(name)) {
      const [stem = ""] = name.replace(ending, "").split(/[/\\]/).slice(-1);
      const isSame = files.some((file) => file.toLowerCase() === stem.toLowerCase());
      return isSame || files.length === 0 || hasMarks(stem) ? { fails: "file", data } : { asks: "file", data };
    }
    // A name such as `hero-image_v2`; a single word, or the number of a model or standard, may be a real name.
    if (files.includes(name) && !/\s/.test(name) && name.length > 3) {
      if (/_|-.*-/.test(name)) return { fails: "file", data };
      if (/\d/.test(name)) return { asks: "file", data };
    }
    // Words that underscores join are a name in a program, such as `form__success`.
    if (/^[\p{L}\d]+(_+[\p{L}\d]+)+$/u.test(name)) return { asks: "file", data };
    const plain = kit.plain(name);
    const isEmoticon = /^([:;=8x][-o^']?[()[\]|/\\dp*<>o3?!]|:[?!]:)$/i.test(name.trim());
    // A single sign with a meaning, such as that of a currency.
    const isSign = /^[\p{Sc}%‰+=×÷±&@©®™§°]$/u.test(name.trim());
    // Screen readers speak an emoji by its name.
    const isEmoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(name);
    if (plain === "" && !isEmoticon && !isSign && !isEmoji) return { fails: "characters", data };
    // The button of a gallery may be called "Images".
    const isGallery = /^(images|bilder)$/.test(plain) && (element.matches("input") || kit.around(element, "a[href], button, [role=button], [role=link], [role=tab], [role=menuitem]") !== null);
    if (placeholders.has(plain.replace(/ ?\d+$/, "")) && !isGallery) return { fails: "placeholder", data };
    return "passes";

    /** Names of its files without their endings; none if the image is in the page itself. */
    function filesOf(image: HTMLElement): string[] {
      const sources = [(image as HTMLImageElement).currentSrc, image.getAttribute("src"), image.getAttribute("data")].map((source) => source ?? "").filter((source) => !/^(data|blob):/.test(source));
      const files = sources.flatMap((source) => [source.replace(/[?#].*$/, ""), ...originals(source)].map((path) => decoded(path).split("/").at(-1) ?? ""));
      // Programs add the size, and another ending.
      return files.filter((file) => file !== "").flatMap((file) => [file.replace(/\.\w{2,5}$/, ""), file.replace(/(\.\w{2,5})+$/, "").replace(/-(\d+x\d+|scaled)$/, "")]);
    }

    /** Addresses of original pictures, in the address of a program that makes them smaller. */
    function originals(source: string): string[] {
      return source.replace(/^[^?]*\??/, "").split("&").map((part) => decoded(part.replace(/^[^=]*=/, ""))).map((path) => path.replace(/[?#].*$/, "")).filter((path) => ending.test(path));
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
