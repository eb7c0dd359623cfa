"""Models of embeddings: which they are by their names, and how long a vector of theirs may be."""

import math
from collections.abc import Sequence

MIN_DIMENSION, MAX_DIMENSION = 2, 1_536

# Parts of the names of models that make vectors of texts; and of those that talk, which make poor ones if asked.
_OF_EMBEDDERS = ("embed", "bge-", "e5-", "gte-", "minilm", "nomic", "arctic", "labse", "rubert", "frida", "gemma-emb")
_OF_TALKERS = (
    "gpt", "llama", "qwen", "mistral", "mixtral", "gemma", "phi", "deepseek", "claude", "command", "instruct", "chat",
    "coder", "gigachat", "yandexgpt", "glm", "kimi", "whisper", "tts", "vision", "llava", "rerank", "o1", "o3", "o4",
)  # fmt: skip

# Models whose beginning of a vector is a vector (Matryoshka representation learning), by a part of their name, and how
# much of a longer one is kept. Only what the model's own page says is listed; models that are never longer are not.
_MATRYOSHKA = (
    # https://platform.openai.com/docs/guides/embeddings, "Reducing embedding dimensions": 3,072, any shorter one.
    ("text-embedding-3-large", 1_024),
    # https://huggingface.co/Qwen/Qwen3-Embedding-8B, "MRL Support": 32 to 4,096 (2,560 of 4B).
    ("qwen3-embedding", 1_024),
    # https://ai.google.dev/gemini-api/docs/embeddings: 3,072; 768 and 1,536 are recommended besides.
    ("gemini-embedding", 1_536),
    # https://huggingface.co/jinaai/jina-embeddings-v4: 2,048, 1,024, 512, 256, 128.
    ("jina-embeddings-v4", 1_024),
    # https://docs.voyageai.com/docs/embeddings: 2,048, 1,024, 512, 256.
    ("voyage-3", 1_024),
    ("voyage-4", 1_024),
    ("voyage-code-3", 1_024),
)


class TooLong(Exception):
    """A vector is longer than what is kept, and its model does not say that it may be cut."""

    def __init__(self, dimension: int) -> None:
        super().__init__(f"{dimension} numbers")
        self.dimension = dimension


def is_for_embeddings(model: str) -> bool:
    """Whether a model's name is one of those that embed."""
    return any(part in model.lower() for part in _OF_EMBEDDERS)


def may_answer(model: str) -> bool:
    """Whether a model may be offered as one that talks: its name is none of those that embed.

    Arctic is a family of both kinds; its embedders say so besides.
    """
    return not any(part in model.lower() for part in _OF_EMBEDDERS if part != "arctic")


def may_embed(model: str) -> bool:
    """Whether a model is worth asking: its name is none of those that talk."""
    return not any(part in model.lower() for part in _OF_TALKERS)


def fitted(model: str, vectors: Sequence[Sequence[float]]) -> Sequence[Sequence[float]]:
    """The vectors, cut to what is kept of each and of length 1 again. Raises TooLong where the model allows no cut."""
    dimension = max(map(len, vectors), default=0)
    if dimension <= MAX_DIMENSION:
        return vectors
    name = model.lower().replace("_", "-")
    kept = next((kept for part, kept in _MATRYOSHKA if part in name), None)
    if kept is None:
        raise TooLong(dimension)
    return [_of_length_one(vector[:kept]) for vector in vectors]


def _of_length_one(vector: Sequence[float]) -> list[float]:
    length = math.sqrt(math.fsum(number * number for number in vector))
    return [number / length for number in vector] if length else list(vector)
