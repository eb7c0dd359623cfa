"""Signed speech over REST (specification, Endpoints, "Signed application-assistant endpoints")."""

import re
from typing import Any

from apps.ai.errors import PROVIDER_FAILURE
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Raw, operation
from apps.core.endpoints.serializers import Body, Choice, Text
from apps.core.errors import AI_BUDGET_EXHAUSTED
from apps.support.actions.speech import LISTENED, SPOKEN, require_speech, speak, transcribe
from apps.support.authentication import SignedViewSet
from apps.support.errors import (
    ASSISTANT_BUSY,
    ASSISTANT_UNAVAILABLE,
    AUDIO_TOO_LARGE,
    SPEECH_UNSUPPORTED,
)
from apps.support.rules import speech as rules
from apps.support.serializers.application import SpokenSerializer, TranscriptionSerializer
from apps.support.serializers.requests import SpokenText

MAX_AUDIO_BODY = 9 * 1024 * 1024
_PROBLEMS = (
    *(SPEECH_UNSUPPORTED, AI_BUDGET_EXHAUSTED, PROVIDER_FAILURE),
    *(ASSISTANT_UNAVAILABLE, ASSISTANT_BUSY),
)


class Recording(Text):
    """Bytes in base64, of at most 6 MiB. Raises AUDIO_TOO_LARGE (413)."""

    default_error_messages = {"base64": "Must be base64 of a recording."}

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data)
        audio = rules.decoded(text)
        if audio is None:
            self.fail("base64")
        return audio


class AudioType(Text):
    """The media type of a recording; its parameters do not count."""

    default_error_messages = {"type": "Must be audio/ webm, ogg, mpeg, mp4, m4a, wav or flac."}

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if rules.ending_of(text) is None:
            self.fail("type")
        return text


class LanguageCode(Text):
    """Two small letters."""

    default_error_messages = {"code": "Must be a language's two small letters, such as `en`."}

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not re.fullmatch("[a-z]{2}", text):
            self.fail("code")
        return text


class TranscriptionBody(Body):
    """A recording."""

    audio_base64 = Recording(help_text="At most 6 MiB, decoded.")
    mime_type = AudioType(max_length=200)
    language = LanguageCode(required=False)


class SpokenBody(Body):
    """A text to be spoken."""

    text = SpokenText(max_length=rules.MAX_TEXT)
    voice = Choice(required=False, default=rules.VOICES[0], choices=list(rules.VOICES))
    format = Choice(required=False, default="mp3", choices=list(rules.FORMATS))


class SpeechToTextViewSet(SignedViewSet):
    @operation(
        summary="Turn speech into text",
        takes=TranscriptionBody,
        answers=TranscriptionSerializer,
        literal=True,
        calls_out=True,
        max_body=MAX_AUDIO_BODY,
        problems=(AUDIO_TOO_LARGE, *_PROBLEMS),
        limits=(LISTENED,),
        example={"audio_base64": "T2dnUwACAAAAAAAAAAA=", "mime_type": "audio/ogg"},
    )
    def create(self, context: RequestContext) -> Raw:
        """The words of a recording, by the reference vendor. The recording is not stored."""
        audio, mime_type = context.body["audio_base64"], context.body["mime_type"]
        binding = self.binding(context)
        require_speech(binding)
        if len(audio) > rules.MAX_AUDIO_BYTES:
            raise AUDIO_TOO_LARGE()
        text = transcribe(
            binding=binding,
            outbound=context.outbound,
            audio=audio,
            ending=rules.ending_of(mime_type) or "",
            mime_type=mime_type.partition(";")[0].strip().lower(),
            language=context.body.get("language"),
        )
        return Raw({"text": text})


class TextToSpeechViewSet(SignedViewSet):
    @operation(
        summary="Turn text into speech",
        takes=SpokenBody,
        answers=SpokenSerializer,
        literal=True,
        calls_out=True,
        problems=_PROBLEMS,
        limits=(SPOKEN,),
        example={"text": "Your order is on its way.", "voice": "nova"},
    )
    def create(self, context: RequestContext) -> Raw:
        """A recording of a text, by the reference vendor. It is not stored."""
        audio = speak(binding=self.binding(context), outbound=context.outbound, **context.body)
        format = context.body["format"]
        return Raw({"audio_base64": audio, "mime_type": rules.FORMATS[format], "format": format})
